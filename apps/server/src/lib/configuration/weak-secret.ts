/**
 * Words of examples and of passwords. A random source does not produce them: a word has six letters or more, and the
 * shorter name of the product counts only where a secret begins with it.
 */
const KNOWN_WORDS = /change.?me|replace|secret|password|example|default|insert|your.?key|qwerty/i
const PRODUCT_NAME = /^[Dd]uet/
const DIFFERENT_TRIPLES_MIN = 24
/** Neighbours that count up, count down or repeat: `abcdef`, `987654`, `aaaa`. */
const SEQUENCE_SHARE_MAX = 0.4

/** Whether a secret looks chosen and not drawn: known words, a repeated pattern, a sequence. */
export function isWeakSecret(secret: string): boolean {
  if (KNOWN_WORDS.test(secret) || PRODUCT_NAME.test(secret)) return true
  const triples = new Set<string>()
  let inSequence = 0
  for (let at = 0; at < secret.length - 2; at += 1) {
    triples.add(secret.slice(at, at + 3))
    const [one, two, three] = [0, 1, 2].map((offset) => secret.charCodeAt(at + offset)) as [
      number,
      number,
      number,
    ]
    if (two - one === three - two && Math.abs(two - one) <= 1) inSequence += 1
  }
  return (
    triples.size < DIFFERENT_TRIPLES_MIN || inSequence > (secret.length - 2) * SEQUENCE_SHARE_MAX
  )
}
