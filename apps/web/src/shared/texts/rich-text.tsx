import { Fragment, type ReactNode } from 'react'
import { t, type TextId, type TextValues } from '../i18n.ts'

type Parts = Record<string, (words: ReactNode) => ReactNode>

const MARKED = /<(\w+)>(.*?)<\/\1>/gs

/**
 * A sentence with marked words: `I accept the <terms>terms</terms>` with
 * `parts={{ terms: (words) => <a>{words}</a> }}`.
 */
export function Text({ id, values, parts }: { id: TextId; values?: TextValues; parts: Parts }) {
  return <>{listPieces(t(id, values), parts)}</>
}

/** Splits a sentence at its marks. A mark without a part becomes plain words. */
export function listPieces(sentence: string, parts: Parts): ReactNode[] {
  const pieces: ReactNode[] = []
  let at = 0
  for (const match of sentence.matchAll(MARKED)) {
    const [whole, name = '', words = ''] = match
    pieces.push(sentence.slice(at, match.index))
    pieces.push(
      <Fragment key={match.index}>{name in parts ? parts[name]!(words) : words}</Fragment>,
    )
    at = match.index + whole.length
  }
  pieces.push(sentence.slice(at))
  return pieces
}
