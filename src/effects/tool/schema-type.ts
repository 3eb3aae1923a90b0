/** The type of the data that a JSON Schema takes, as far as TypeScript can read it off. */
import type { JsonSchema } from '../../program/effect.ts';

/** `unknown` for what is not said, or is said in another way than these. */
export type TypeOf<Schema> = Schema extends { readonly const: infer Only }
  ? Only
  : Schema extends { readonly enum: readonly (infer One)[] }
    ? One
    : Schema extends { readonly type: 'string' }
      ? string
      : Schema extends { readonly type: 'number' | 'integer' }
        ? number
        : Schema extends { readonly type: 'boolean' }
          ? boolean
          : Schema extends { readonly type: 'null' }
            ? null
            : Schema extends { readonly type: 'array' }
              ? readonly ItemOf<Schema>[]
              : Schema extends { readonly type: 'object' }
                ? ObjectOf<Schema>
                : unknown;

type ItemOf<Schema> = Schema extends { readonly items: infer Items } ? TypeOf<Items> : unknown;

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? {
      readonly [Key in keyof Properties as Key extends RequiredOf<Schema> ? Key : never]: TypeOf<
        Properties[Key]
      >;
    } & {
      readonly [Key in keyof Properties as Key extends RequiredOf<Schema> ? never : Key]?: TypeOf<
        Properties[Key]
      >;
    }
  : Readonly<Record<string, unknown>>;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;

/** A schema whose form is only known at run time says nothing. */
export type DataOf<Schema> = JsonSchema extends Schema
  ? Readonly<Record<string, unknown>>
  : TypeOf<Schema>;
