import { useCallback, useEffect, useRef, useState } from 'react'
import type { DeviceState } from '@duet/call-engine'
import { announceCall, type Announcement } from '../../features/calls/announcements.ts'
import { lowBalanceText, useLowBalance } from '../../features/calls/low-balance.ts'
import { t } from '../../shared/i18n.ts'
import { playSound } from '../../shared/sound.ts'
import { useLocalMedia } from '../../shared/video/local-media.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { useVideo, type Video } from './video-context.tsx'

type Announced = Pick<ReturnType<typeof takeSnapshot>, 'matchmaking' | 'calls'>

interface QueuedAnnouncement extends Announcement {
  id: number
}

/** An announcement leaves the page after this time. A screen reader keeps its own queue. */
const KEPT_MS = 10_000

function takeSnapshot({ matchmaking, calls }: Video) {
  return { matchmaking: matchmaking.getSnapshot(), calls: calls.getSnapshot() }
}

/** Announces changes to screen readers: an offer, the start of payment, a low balance, the end of the call. */
export function Announcer() {
  const video = useVideo()
  const matchmaking = useStore(video.matchmaking)
  const calls = useStore(video.calls)
  const gate = useStore(video.gate)
  const { camera } = useLocalMedia()
  const before = useRef({ matchmaking, calls, camera })
  const { queue, announce } = useAnnouncements()
  useEffect(() => {
    announce(compareAnnounced(before.current, { matchmaking, calls }))
    // The screens of the gate explain a missing camera themselves.
    if (isMissing(camera) && !isMissing(before.current.camera) && gate === null)
      announce([{ text: t('video.say.camera_lost'), is_urgent: true }])
    before.current = { matchmaking, calls, camera }
  }, [matchmaking, calls, camera, gate, announce])
  useLowBalance((threshold, left) => {
    if (threshold === 60) playSound('minute')
    announce([{ text: lowBalanceText(left) }])
  })
  return (
    <>
      <LiveRegion role="status" queue={queue.filter(({ is_urgent }) => !is_urgent)} />
      <LiveRegion role="alert" queue={queue.filter(({ is_urgent }) => is_urgent)} />
    </>
  )
}

/**
 * Every announcement is an element of its own. So no announcement hides another, and a repeated sentence is read again.
 */
function LiveRegion({ role, queue }: { role: string; queue: readonly QueuedAnnouncement[] }) {
  return (
    <div role={role} aria-atomic={false} aria-relevant="additions" className="sr-only">
      {queue.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}

function useAnnouncements() {
  const [queue, setQueue] = useState<readonly QueuedAnnouncement[]>([])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  const lastId = useRef(0)
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])
  const announce = useCallback((announcements: readonly Announcement[]) => {
    if (announcements.length === 0) return
    const added = announcements.map((each) => ({ ...each, id: (lastId.current += 1) }))
    setQueue((known) => [...known, ...added])
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setQueue((known) => known.filter((each) => !added.some(({ id }) => id === each.id)))
    }, KEPT_MS)
    timers.current.add(timer)
  }, [])
  return { queue, announce }
}

function isMissing(camera: DeviceState): boolean {
  return camera === 'lost' || camera === 'refused'
}

function compareAnnounced(before: Announced, after: Announced): readonly Announcement[] {
  const { offer } = after.matchmaking
  const isNew = offer?.pair.pair_id !== before.matchmaking.offer?.pair.pair_id
  const found: readonly Announcement[] =
    offer && isNew && offer.pair.kind !== 'preview'
      ? [{ text: t('video.say.found', { nick: offer.pair.user_interlocutor.nick }) }]
      : []
  return [...found, ...announceCall(before.calls, after.calls)]
}
