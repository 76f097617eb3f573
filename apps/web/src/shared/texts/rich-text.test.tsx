import { expect, test } from 'vitest'
import { renderToStaticMarkup } from 'react-dom/server'
import { listPieces } from './rich-text.tsx'

const html = (sentence: string, parts: Parameters<typeof listPieces>[1]) =>
  renderToStaticMarkup(<>{listPieces(sentence, parts)}</>)

test('renders marked words with their part and everything else as plain text', () => {
  const parts = { em: (words: React.ReactNode) => <em>{words}</em>, gone: () => null }
  expect(html('one <em>hello</em> away', parts)).toBe('one <em>hello</em> away')
  expect(html('<gone>here</gone> <other>there</other>', parts)).toBe(' there')
})

test('escapes markup in a sentence', () => {
  expect(html('<img src=x onerror=alert(1)>', {})).toBe('&lt;img src=x onerror=alert(1)&gt;')
})
