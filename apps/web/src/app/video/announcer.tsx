import { useEffect, useRef, useState } from 'react'
import type { DeviceState } from '@duet/call-engine'
import { announceCall, type Announcement } from '../../features/calls/announcements.ts'
import { useLowBalanceWarning } from '../../features/calls/low-balance.ts'
import { t } from '../../shared/i18n.ts'
import { useLocalMedia } from '../../shared/video/local-media.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { useVideo, type Video } from './video-context.tsx'

type Announced = Pick<ReturnType<typeof snapshotOf>, 'matchmaking' | 'calls'>

function snapshotOf({ matchmaking, calls }: Video) {
  return { matchmaking: matchmaking.getSnapshot(), calls: calls.getSnapshot() }
}

/** Announces to screen readers what a sighted user would notice: an offer, the start of payment, a low balance, who left. */
export function Announcer() {
  const video = useVideo()
  const matchmaking = useStore(video.matchmaking)
  const calls = useStore(video.calls)
  const gate = useStore(video.gate)
  const { camera } = useLocalMedia()
  const before = useRef({ matchmaking, calls, camera })
  const [announced, setAnnounced] = useState<Announcement>({})
  useEffect(() => {
    const next = announce(before.current, { matchmaking, calls })
    // The screens of the gate explain a missing camera themselves.
    if (isMissing(camera) && !isMissing(before.current.camera) && gate === null)
      next.assertive = t('video.say.camera_lost')
    before.current = { matchmaking, calls, camera }
    if (next.polite || next.assertive) setAnnounced(next)
  }, [matchmaking, calls, camera, gate])
  const warning = useLowBalanceWarning()
  return (
    <>
      <p role="status" className="sr-only">
        {warning ?? announced.polite}
      </p>
      <p role="alert" className="sr-only">
        {announced.assertive}
      </p>
    </>
  )
}

function isMissing(camera: DeviceState): boolean {
  return camera === 'lost' || camera === 'refused'
}

function announce(before: Announced, after: Announced): Announcement {
  const { offer } = after.matchmaking
  const isNew = offer?.pair.pair_id !== before.matchmaking.offer?.pair.pair_id
  if (offer && isNew && offer.pair.kind !== 'preview')
    return { polite: t('video.say.found', { nick: offer.pair.user_interlocutor.nick }) }
  return announceCall(before.calls, after.calls)
}
