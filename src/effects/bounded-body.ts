/** Bodies of answers: `fetch` unpacks what is packed, and some kilobytes may unpack to any size. */

/** The answer, whose body breaks with the error where it has more bytes, unpacked. */
export function boundedBody(response: Response, bytesMax: number, error: () => Error): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.byteLength;
      if (bytes > bytesMax) controller.error(error());
      else controller.enqueue(part);
    },
  });
  return new Response(body.pipeThrough(counter), { status, statusText, headers });
}
