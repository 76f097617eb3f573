import type { Payload } from '@duet/protocol'
import type { AppServices } from '../../shared/app-services.tsx'
import {
  type CallFrames,
  drawFrames,
  drawOwn,
  SAMPLE_WIDTH,
  takeKeptFrames,
  toJpeg,
} from '../../shared/video/call-frames.ts'

/**
 * Sends the frames that the server asks for: drawn at once, because the call may end with the next event. While the own
 * camera is off, only the partner's picture is sent. Without a picture nothing is sent, and a failed upload is not repeated: its request has expired.
 */
export async function sendFrames(
  { session_id, nonce, reason, side }: Payload<'frame_request'>,
  { connection }: Pick<AppServices, 'connection'>,
): Promise<void> {
  const { own, partner } = pictures(reason)
  const seen = side === 'both' && partner ? await toJpeg(partner) : null
  const image = own ? await toJpeg(own) : null
  const token = connection.getSnapshot().auth?.user.fs_token
  if (!(image ?? seen) || !token) return
  const form = new FormData()
  form.set('session_id', String(session_id))
  form.set('nonce', nonce)
  if (image) form.set('image', image, 'frame.jpg')
  if (seen) form.set('image_original', seen, 'seen.jpg')
  const product = reason === 'sample' ? 'frame' : 'complaint'
  await fetch(`/upload/image/${product}`, {
    method: 'POST',
    headers: { 'User-Access-Token': token },
    body: form,
  })
}

function pictures(reason: Payload<'frame_request'>['reason']): CallFrames {
  if (reason === 'sample') return { own: drawOwn(SAMPLE_WIDTH), partner: null }
  return (reason === 'panic' ? takeKeptFrames() : null) ?? drawFrames()
}
