import { useEffect, useRef, useState } from 'react'
import { watchLevel } from '@duet/call-engine'
import { useLocalMedia, useMediaDevices } from '../../shared/video/local-media.tsx'
import { getOwnVideo } from './own-video.ts'

/** The loudness of the own microphone, 0 to 1. Without a microphone 0. */
export function useLevel(runs: boolean): number {
  const { audio_track } = useLocalMedia()
  const [level, setLevel] = useState(0)
  useEffect(() => {
    if (!runs || !audio_track) return setLevel(0)
    return watchLevel(audio_track, setLevel)
  }, [runs, audio_track])
  return level
}

const HEARD_FROM = 0.25
/** After the first sound a pause in speaking is not silence. */
const HEARD_FOR_MS = 8_000

export function useIsHeard(level: number): boolean {
  const [heard, setHeard] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (level < HEARD_FROM) return
    setHeard(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setHeard(false), HEARD_FOR_MS)
  }, [level])
  useEffect(() => () => clearTimeout(timer.current), [])
  return heard
}

const LOOK_EVERY_MS = 1_000
const SAMPLE = { width: 32, height: 24 }
/** Mean luma of a face in a lit room is well above this. */
const DARK_BELOW = 58

/** Whether the own picture is bright enough. Null before the first picture. */
export function useIsLit(runs: boolean): boolean | null {
  const media = useMediaDevices()
  const { video_track } = useLocalMedia()
  const [lit, setLit] = useState<boolean | null>(null)
  useEffect(() => {
    if (!runs || !video_track) return setLit(null)
    const video = getOwnVideo(media).element
    const canvas = new OffscreenCanvas(SAMPLE.width, SAMPLE.height)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const timer = setInterval(() => {
      if (!context || video.readyState < 2) return
      context.drawImage(video, 0, 0, SAMPLE.width, SAMPLE.height)
      setLit(luma(context.getImageData(0, 0, SAMPLE.width, SAMPLE.height).data) >= DARK_BELOW)
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [runs, media, video_track])
  return lit
}

/** Mean brightness, 0 to 255, of RGBA pixels. */
export function luma(pixels: Uint8ClampedArray): number {
  let total = 0
  for (let at = 0; at < pixels.length; at += 4) {
    total += 0.2126 * pixels[at]! + 0.7152 * pixels[at + 1]! + 0.0722 * pixels[at + 2]!
  }
  return pixels.length === 0 ? 0 : total / (pixels.length / 4)
}

const HD_FROM_HEIGHT = 720

export function useIsHd(): boolean {
  const { video_track } = useLocalMedia()
  return (video_track?.getSettings().height ?? 0) >= HD_FROM_HEIGHT
}
