/** The partner's picture in a window of its own, or over the whole screen. Not every browser can do both. */

const REMOTE = 'video[data-remote-picture]'

export function canFloat(): boolean {
  return document.pictureInPictureEnabled
}

export function canFillScreen(): boolean {
  return document.fullscreenEnabled
}

/** Opens the floating window, or closes it. Must run in a press. */
export async function toggleFloating(): Promise<void> {
  if (document.pictureInPictureElement) return document.exitPictureInPicture()
  await document.querySelector<HTMLVideoElement>(REMOTE)?.requestPictureInPicture()
}

/** The whole page fills the screen, so that the controls of the call and its dialogs stay on it. */
export async function toggleFullScreen(): Promise<void> {
  await (document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen())
}

/** The call is over: what it opened closes. */
export function closePictureWindows(): void {
  if (document.pictureInPictureElement) document.exitPictureInPicture().catch(() => {})
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
}
