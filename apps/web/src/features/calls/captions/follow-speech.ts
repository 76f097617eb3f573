import { openRecognizer } from './browser-speech.ts'

/** A recognizer ends by itself after a silence, or when it fails. */
const AGAIN_MS = 500
/** Failures in a row, after which captions end. A silence is none. */
const FAILURES_MAX = 5

interface SpeechFollower {
  /** The words that were heard. `isWhole`: the speaker has paused, and the text does not change any more. */
  readonly onText: (text: string, isWhole: boolean) => void
  /** The browser fetches the data of this language first. */
  readonly onFetch: () => void
  /** The recognizer listens. */
  readonly onStart: () => void
  /** The browser cannot write this language. */
  readonly onUnavailable: () => void
}

/** Writes what is said on a track, until the returned function is called. */
export function followSpeech(
  track: MediaStreamTrack,
  language: string,
  { onText, onFetch, onStart, onUnavailable }: SpeechFollower,
): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  let failures = 0

  async function open(): Promise<void> {
    const recognizer = await openRecognizer(language, () => signal.aborted || onFetch())
    if (signal.aborted) return
    if (!recognizer) return onUnavailable()
    const start = () => {
      if (!signal.aborted && track.readyState === 'live') recognizer.start(track)
    }
    const again = () => {
      if (failures >= FAILURES_MAX) onUnavailable()
      else setTimeout(start, AGAIN_MS)
    }
    const count = (event: Event) => {
      if ((event as Event & { error?: string }).error !== 'no-speech') failures += 1
    }
    recognizer.addEventListener('error', count, { signal })
    recognizer.addEventListener('end', again, { signal })
    const take = (event: Event) => {
      const { results } = event as unknown as { results: SpeechRecognitionResultList }
      const latest = results[results.length - 1]
      if (!latest) return
      failures = 0
      onText(latest[0]!.transcript.trim(), latest.isFinal)
    }
    recognizer.addEventListener('result', take, { signal })
    signal.addEventListener('abort', () => recognizer.abort())
    start()
    onStart()
  }

  open().catch(() => signal.aborted || onUnavailable())
  return () => stopped.abort()
}
