import type { SessionText } from '@duet/protocol'
import type { CallText } from './call-state.ts'

/** A page keeps this many of a call; the server gives the last 50 back after a reload. */
const MOST_TEXTS = 300

/** What was said, the server's numbering first, then what is still under way. */
export function keptTexts(texts: readonly SessionText[], at_ms: number): readonly CallText[] {
  return texts.reduce<readonly CallText[]>((kept, text) => hearText(kept, text, at_ms), [])
}

/** The server told a text, one's own too: it takes the place of what this page knew under the same id. */
export function hearText(
  texts: readonly CallText[],
  told: SessionText,
  at_ms: number,
): readonly CallText[] {
  const { id, text_id, sender_id, text } = told
  const known = texts.find((each) => isSame(each, told))
  if (known?.text_id === text_id && known.text === text && known.state === 'sent') return texts
  const heard: CallText = {
    id,
    text_id,
    sender_id,
    text,
    state: 'sent',
    at_ms: known?.at_ms ?? at_ms,
  }
  return inOrder([...texts.filter((each) => each !== known), heard])
}

/** One's own, shown before the server has it; a second try keeps its place. */
export function typedText(
  texts: readonly CallText[],
  { id, text, sender_id, at_ms }: Pick<CallText, 'id' | 'text' | 'sender_id' | 'at_ms'>,
): readonly CallText[] {
  const known = texts.find((each) => each.id === id && each.sender_id === sender_id)
  if (known) return known.state === 'failed' ? markText(texts, id, { state: 'sending' }) : texts
  return inOrder([...texts, { id, text_id: null, sender_id, text, state: 'sending', at_ms }])
}

/** What became of an own text; what the server told already stands. */
export function markText(
  texts: readonly CallText[],
  id: string,
  change: Partial<CallText>,
): readonly CallText[] {
  const known = texts.find((each) => each.id === id && each.state !== 'sent')
  if (!known) return texts
  return inOrder(texts.map((each) => (each === known ? { ...each, ...change } : each)))
}

function isSame(kept: CallText, told: SessionText): boolean {
  return kept.text_id === told.text_id || (kept.id === told.id && kept.sender_id === told.sender_id)
}

function inOrder(texts: readonly CallText[]): readonly CallText[] {
  const place = ({ text_id }: CallText) => text_id ?? Number.POSITIVE_INFINITY
  const behind = (a: CallText, b: CallText) =>
    place(a) === place(b) ? a.at_ms - b.at_ms : place(a) - place(b)
  return [...texts].sort(behind).slice(-MOST_TEXTS)
}
