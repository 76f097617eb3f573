import { useEffect, useState } from 'react'
import { currentLocale } from '../../../shared/i18n.ts'
import { type BrowserTranslator, openTranslator } from './browser-speech.ts'

interface Translating {
  /** The text in the language of the page. Undefined while there is none, or if the browser cannot translate it. */
  readonly translated: string | undefined
  /** The fetched part of the languages' data, from 0 to 1, while the browser fetches it. */
  readonly fetched: number | undefined
}

/** The text in the language of the page, translated on this device. One translator serves all texts. */
export function useTranslated(text: string | undefined, from: string, isOn: boolean): Translating {
  const { translator, fetched } = useTranslator(from, isOn)
  const [done, setDone] = useState<{ readonly from: string; readonly text: string }>()
  useEffect(() => {
    if (text === undefined || !translator) return
    let isWanted = true
    translator.translate(text).then(
      (translated) => isWanted && setDone({ from: text, text: translated }),
      // The text is shown as it was said.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [text, translator])
  return { translated: done && done.from === text ? done.text : undefined, fetched }
}

function useTranslator(from: string, isOn: boolean) {
  const [translator, setTranslator] = useState<BrowserTranslator>()
  const [fetched, setFetched] = useState<number>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!isOn) return
    let isWanted = true
    const stopped = new AbortController()
    const opening = openTranslator(from, currentLocale(), (part) => {
      if (isWanted) setFetched(part < 1 ? part : undefined)
    })
    void opening.then((opened) => {
      if (!isWanted) return
      setTranslator(opened)
      setFetched(undefined)
      if (opened) return
      // A browser fetches languages only after a press.
      const again = { once: true, signal: stopped.signal }
      addEventListener('pointerdown', () => setAttempt(attempt + 1), again)
    })
    return () => {
      isWanted = false
      stopped.abort()
      setTranslator(undefined)
      setFetched(undefined)
      void opening.then((opened) => opened?.destroy())
    }
  }, [from, isOn, attempt])
  return { translator, fetched }
}
