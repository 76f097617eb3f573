import { afterEach, expect, test, vi } from 'vitest'
import type { AppServices } from '../../shared/app-services.tsx'
import { sendFrames } from './send-frames.ts'

const services = {
  connection: { getSnapshot: () => ({ auth: { user: { fs_token: 'token' } } }) },
} as unknown as Pick<AppServices, 'connection'>

afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The page shows these pictures, and each becomes a file of its width. */
function showPictures(pictures: { own?: number; partner?: number }): void {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
    this: HTMLCanvasElement,
    take,
  ) {
    take(new Blob([String(this.width)]))
  })
  for (const [mark, width] of [
    ['data-own-picture', pictures.own],
    ['data-remote-picture', pictures.partner],
  ] as const) {
    if (width === undefined) continue
    const video = document.createElement('video')
    video.setAttribute(mark, '')
    for (const [name, value] of Object.entries({
      readyState: 4,
      videoWidth: width,
      videoHeight: 9,
    }))
      Object.defineProperty(video, name, { value })
    document.body.append(video)
  }
}

test.each([
  ['both pictures under their own names', { own: 16, partner: 32 }, ['16', '32']],
  ['only the own picture while nothing arrives', { own: 16 }, ['16', null]],
  ['never the partner as the own picture', { partner: 32 }, [null, '32']],
  ['nothing without a picture', {}, undefined],
])('a complainer sends %s', async (_, pictures, expected) => {
  showPictures(pictures)
  const sent: FormData[] = []
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: FormData }) => {
    sent.push(body)
  })
  await sendFrames({ session_id: 7, nonce: 'n', reason: 'complaint', side: 'both' }, services)
  const read = async (name: string) => (sent[0]?.get(name) as File | null)?.text() ?? null
  expect(sent[0] && [await read('image'), await read('image_original')]).toEqual(expected)
})
