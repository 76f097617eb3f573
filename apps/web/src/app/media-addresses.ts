import type { ClientConnection } from '@duet/client'
import { limits } from '@duet/protocol/kernel/limits.ts'

const SIGNED = /\/media\/([0-9a-f-]{36})\/\w+\?.*signature=/u

type MediaElement = HTMLImageElement | HTMLVideoElement

/**
 * The address of a picture expires after some minutes, but records and lists are shown longer. If a picture or video
 * does not load, this function fetches a new address for every screen. If the new address also fails, `onError` of the
 * element runs.
 */
export function renewMediaAddresses({ http }: Pick<ClientConnection, 'http'>): void {
  const waiting = new Map<MediaElement, string>()
  const givenUp = new WeakSet<Event>()

  addEventListener(
    'error',
    (event) => {
      const element = event.target
      if (givenUp.has(event) || !isMediaElement(element)) return
      const src = element.getAttribute('src')
      if (src === null || !SIGNED.test(src)) return
      event.stopImmediatePropagation()
      // One call renews all addresses that fail together.
      if (waiting.size === 0) setTimeout(() => void renewWaiting())
      waiting.set(element, src)
    },
    // Errors of elements do not bubble.
    { capture: true },
  )

  async function renewWaiting(): Promise<void> {
    const failed = [...waiting]
    waiting.clear()
    const ids = [...new Set(failed.map(([, src]) => getId(src)))]
    const found = new Map<string, string>()
    for (let from = 0; from < ids.length; from += limits.media_urls) {
      const part = ids.slice(from, from + limits.media_urls)
      const answer = await http.post('media/urls', { ids: part }).catch(() => ({ urls: [] }))
      for (const { id, url } of answer.urls) found.set(id, url)
    }
    for (const [element, src] of failed) {
      // During the request the screen may have given this element another picture.
      if (element.getAttribute('src') !== src) continue
      const url = nextAddress(found.get(getId(src)), src, element)
      if (url !== undefined) load(element, url)
      else {
        const error = new Event('error')
        givenUp.add(error)
        element.dispatchEvent(error)
      }
    }
  }
}

/** If the new address equals the failed address, the address was not too old. The file of a video is not a picture. */
function nextAddress(
  url: string | undefined,
  src: string,
  element: MediaElement,
): string | undefined {
  if (url === undefined) return undefined
  const isPicture = !(element instanceof HTMLImageElement && url.includes('/video?'))
  if (isPicture && url !== src) return url
  // The browser may have requested only a width of the picture, never the address itself.
  return element.hasAttribute('srcset') ? src : undefined
}

/** The widths are as old as the failed address, so they are left out. A video continues where it stopped. */
function load(element: MediaElement, url: string): void {
  if (element instanceof HTMLImageElement) {
    element.removeAttribute('srcset')
    element.src = url
    return
  }
  const { currentTime, paused } = element
  element.src = url
  element.currentTime = currentTime
  if (!paused) element.play().catch(() => {})
}

function getId(src: string): string {
  return SIGNED.exec(src)?.[1] ?? ''
}

function isMediaElement(target: EventTarget | null): target is MediaElement {
  return target instanceof HTMLImageElement || target instanceof HTMLVideoElement
}
