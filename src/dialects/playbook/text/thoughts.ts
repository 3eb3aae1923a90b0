/** Words of thoughts: what they are about, and what is done behind them. */
import { anyCase } from './words.ts';

/** `Think about it before calling F(1)`: the thought, and what is called then. */
export const beforeCall: RegExp = anyCase(
  '^(.+?),?\\s+before\\s+(?:you\\s+)?(?:(?:call|run|invoke|execut|us|do|mak)(?:e|ing)?\\s+)?' +
    '(\\S+\\(.*\\))$',
);

/** Behind a thought, what is said then. */
export const beforeQuote: RegExp = anyCase('\\b(?:before|after|while|by)\\s+\\w+\\s*["“„«]');

/** In front of what a thought is about: `Think about`, `Think about what you know before`. */
export const ofThought: RegExp = anyCase(
  '\\b(?:what|whether|how|why|which|if|when|who|that)\\b|' +
    '\\b(?:about|of|on|over)\\b(?!.*(?:\\b(?:before|after|while|until|by|with|using)\\b|:))',
);
