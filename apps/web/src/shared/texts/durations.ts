import { t, type TextId } from '../i18n.ts'

/** Whole minutes from 60 seconds on, otherwise seconds. */
export function formatDuration(seconds: number): string {
  return seconds < 60
    ? t('video.duration.seconds', { seconds: Math.max(0, Math.floor(seconds)) })
    : t('video.duration.minutes', { minutes: Math.floor(seconds / 60) })
}

/** A whole number of minutes or hours, for "about 2 hours". */
export function formatRoughDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const id: TextId = minutes >= 90 ? 'video.duration.hours' : 'video.duration.minutes'
  return minutes < 1 ? formatDuration(seconds) : t(id, { minutes, hours: Math.round(minutes / 60) })
}

/** `04:12`, and from an hour on `1:04:12`. */
export function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
