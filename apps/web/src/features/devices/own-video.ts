import type { LocalMedia } from '@duet/call-engine'
import { callChoices } from '../../shared/video/call-choices.ts'

/** The only video element of the own camera. */
export interface OwnVideo {
  readonly element: HTMLVideoElement
  /** Moves the element into this container. Returns the function that gives it back to the container before. */
  showIn(container: HTMLElement): () => void
}

const videos = new WeakMap<LocalMedia, OwnVideo>()

/** The same element for the same devices, whichever screens are mounted. */
export function getOwnVideo(media: LocalMedia): OwnVideo {
  const known = videos.get(media)
  if (known) return known
  const created = createOwnVideo(media)
  videos.set(media, created)
  return created
}

/**
 * One video element moves from screen to screen. Between two screens the element waits in the document without a
 * stream. A new element for each screen would be wrong: a removed element keeps its last frames until it is collected,
 * and a camera has few frame buffers. The camera then delivered nothing for seconds after Next.
 */
function createOwnVideo(media: LocalMedia): OwnVideo {
  const element = createElement()
  const waiting = document.createElement('div')
  waiting.className = 'pointer-events-none fixed start-0 top-0 size-px overflow-hidden opacity-0'
  waiting.ariaHidden = 'true'
  /** The containers that requested the element. The last container has the element. */
  const containers: HTMLElement[] = []

  function place(): void {
    const { video_track, facing } = media.getSnapshot()
    const { mirrored } = callChoices.getSnapshot()
    element.classList.toggle('-scale-x-100', mirrored && facing !== 'environment')
    const container = containers.at(-1)
    if (!container && !video_track) return remove()
    if (!container) document.body.append(waiting)
    move(element, container ?? waiting)
    if (container) waiting.remove()
    const stream = video_track ? media.preview : null
    if (element.srcObject !== stream) element.srcObject = stream
    if (stream) element.play().catch(() => {})
  }

  function remove(): void {
    element.srcObject = null
    element.remove()
    waiting.remove()
  }

  media.subscribe(place)
  callChoices.subscribe(place)
  return {
    element,
    showIn(container) {
      containers.push(container)
      place()
      return () => {
        containers.splice(containers.lastIndexOf(container), 1)
        place()
      }
    },
  }
}

function createElement(): HTMLVideoElement {
  const element = document.createElement('video')
  element.autoplay = true
  element.muted = true
  element.playsInline = true
  element.disablePictureInPicture = true
  element.ariaHidden = 'true'
  element.dataset.ownPicture = ''
  element.className = 'absolute inset-0 size-full object-cover'
  return element
}

/** `moveBefore` does not interrupt a playing element. Some browsers lack `moveBefore`. */
function move(element: HTMLElement, parent: HTMLElement): void {
  if (element.parentElement === parent) return
  if ('moveBefore' in parent && element.isConnected && parent.isConnected)
    parent.moveBefore(element, null)
  else parent.append(element)
}
