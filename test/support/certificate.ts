/**
 * A certificate of `localhost` and 127.0.0.1 that signs itself, for servers of tests: made with
 * `openssl req -x509 -newkey ec`, good for a hundred years, and good for nothing else.
 */
export const certificate: { readonly key: string; readonly cert: string } = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsTgRnIoNTG7dPEP6
YOWZQHA5WVXRG/IYTaTlgYMMRROhRANCAAT9sllr5q5GV8atW1i2kklKZyqudcyS
NX49wwIFR7tI6A9hnyXmoQ2+NeuHbUTtbWJg50ESxR4VlNG+j19Mergs
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQJigIDNTgDRUtq0ybfsW0iYRyGQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIxNDcxOVoYDzIxMjYxMDI4
MjE0NzE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT9sllr5q5GV8atW1i2kklKZyqudcySNX49wwIFR7tI6A9hnyXmoQ2+
NeuHbUTtbWJg50ESxR4VlNG+j19Mergso28wbTAdBgNVHQ4EFgQUKKsCj8R/p0EQ
YsXv1E63YiJcqDMwHwYDVR0jBBgwFoAUKKsCj8R/p0EQYsXv1E63YiJcqDMwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgQcMaw45Lmy04GB2li8c05pt1K7AVBhgQl7CLGO8LUxECIQDx
q3PnTLziIHhXyvTqEmHdq99NYF2g2QKRTnuEwd+4dg==
-----END CERTIFICATE-----
`,
};
