import { RtpHeader, RtpPacket, type MediaStreamTrack } from 'werift'

const FRAME_MS = 100
const VIDEO_TICKS = FRAME_MS * 90
const SOUND_MS = 60
const SOUND_TICKS = SOUND_MS * 48
/** A packet with its headers and the encryption fits into every network. */
const PAYLOAD_MAX_BYTES = 1150
/** The VP8 payload descriptor: the first packet of a frame has the bit that marks the start of a partition. */
const FIRST_PACKET = Buffer.from([0x10])
const NEXT_PACKET = Buffer.from([0x00])

export interface MediaLoop {
  /** Frames of the picture that were sent. */
  framesSent(): number
  /** The receiver has lost the picture: the loop begins again with its key frame. */
  restartPicture(): void
  stop(): void
}

/** Sends a picture and a sound again and again. Nothing is encoded: the frames are ready. */
export function startMediaLoop(
  tracks: { readonly video: MediaStreamTrack; readonly audio: MediaStreamTrack },
  { picture, sound }: { readonly picture: readonly Buffer[]; readonly sound: readonly Buffer[] },
): MediaLoop {
  const sendVideo = createSender(tracks.video)
  const sendAudio = createSender(tracks.audio)
  let frame = 0
  let sent = 0
  let packet = 0

  function sendFrame(): void {
    const data = picture[frame]!
    frame = (frame + 1) % picture.length
    for (let at = 0; at < data.length; at += PAYLOAD_MAX_BYTES) {
      const end = Math.min(data.length, at + PAYLOAD_MAX_BYTES)
      const payload = Buffer.concat([at === 0 ? FIRST_PACKET : NEXT_PACKET, data.subarray(at, end)])
      sendVideo(payload, { timestamp: sent * VIDEO_TICKS, marker: end === data.length })
    }
    sent += 1
  }

  function sendSound(): void {
    sendAudio(sound[packet % sound.length]!, { timestamp: packet * SOUND_TICKS, marker: false })
    packet += 1
  }

  sendFrame()
  const timers = [setInterval(sendFrame, FRAME_MS), setInterval(sendSound, SOUND_MS)]
  return {
    framesSent: () => sent,
    restartPicture: () => {
      frame = 0
    },
    stop: () => timers.forEach(clearInterval),
  }
}

/** The connection writes its own payload type and source into each packet. */
function createSender(track: MediaStreamTrack) {
  let sequence = 0
  return (payload: Buffer, { timestamp, marker }: { timestamp: number; marker: boolean }) => {
    sequence = (sequence + 1) % 2 ** 16
    const header = new RtpHeader({ sequenceNumber: sequence, timestamp: timestamp >>> 0, marker })
    track.writeRtp(new RtpPacket(header, payload))
  }
}
