/**
 * What people leave for a run from outside, whoever has it and also when nobody has: its owner
 * looks at them every now and then, and takes one in the append that writes down what it led to.
 */
export type Post =
  | { readonly kind: 'cancel' }
  | {
      readonly kind: 'answer';
      readonly effect: string;
      /** Canonical tagged JSON. */
      readonly value: string;
      readonly by: string;
    }
  | {
      readonly kind: 'approve' | 'deny';
      readonly effect: string;
      readonly note?: string;
      readonly by: string;
    };

/** A post as the journal keeps it until it is taken. */
export interface KeptPost {
  /** Grows over the whole journal and is never given again. */
  readonly id: number;
  readonly post: Post;
}
