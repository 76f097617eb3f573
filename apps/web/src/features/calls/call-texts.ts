import type { SessionText } from '@duet/protocol'
import type { CallText } from './calls-state.ts'

/** A page keeps this number of texts of a call. After a reload the server returns the last 50. */
const TEXTS_MAX = 300

/** The texts of a restored call in the order of the server's numbers. */
export function restoreTexts(texts: readonly SessionText[], atMs: number): readonly CallText[] {
  return texts.reduce<readonly CallText[]>((kept, text) => addText(kept, text, atMs), [])
}

/** Adds a text from the server. An own text replaces the unsent text with the same id. */
export function addText(
  texts: readonly CallText[],
  event: SessionText,
  atMs: number,
): readonly CallText[] {
  const { id, text_id, sender_id, text } = event
  const known = texts.find((each) => isSame(each, event))
  if (known?.text_id === text_id && known.text === text && known.state === 'sent') return texts
  const added: CallText = {
    id,
    text_id,
    sender_id,
    text,
    state: 'sent',
    at_ms: known?.at_ms ?? atMs,
  }
  return inOrder([...texts.filter((each) => each !== known), added])
}

/** Adds an own text before the server has stored the text. A second attempt keeps the place. */
export function addOwnText(
  texts: readonly CallText[],
  { id, text, sender_id, at_ms }: Pick<CallText, 'id' | 'text' | 'sender_id' | 'at_ms'>,
): readonly CallText[] {
  const known = texts.find((each) => each.id === id && each.sender_id === sender_id)
  if (known) return known.state === 'failed' ? markText(texts, id, { state: 'sending' }) : texts
  return inOrder([...texts, { id, text_id: null, sender_id, text, state: 'sending', at_ms }])
}

/** Changes an unconfirmed own text. A confirmed text stays. */
export function markText(
  texts: readonly CallText[],
  id: string,
  change: Partial<CallText>,
): readonly CallText[] {
  const known = texts.find((each) => each.id === id && each.state !== 'sent')
  if (!known) return texts
  return inOrder(texts.map((each) => (each === known ? { ...each, ...change } : each)))
}

function isSame(kept: CallText, event: SessionText): boolean {
  return (
    kept.text_id === event.text_id || (kept.id === event.id && kept.sender_id === event.sender_id)
  )
}

function inOrder(texts: readonly CallText[]): readonly CallText[] {
  const place = ({ text_id }: CallText) => text_id ?? Number.POSITIVE_INFINITY
  const behind = (a: CallText, b: CallText) =>
    place(a) === place(b) ? a.at_ms - b.at_ms : place(a) - place(b)
  return [...texts].sort(behind).slice(-TEXTS_MAX)
}
