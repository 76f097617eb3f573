import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { CallingDialog } from '../../features/matchmaking/calling-dialog.tsx'
import { RingingCard } from '../../features/matchmaking/ringing-card.tsx'
import { RingingDialog } from '../../features/matchmaking/ringing-dialog.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { useVideo } from './video-context.tsx'

/** The end of a ring that the server sends arrives within this time. */
const LATE_MS = 3000

/** A call that rings, on whichever page the user is. The call opens on the page of calls. */
export function RingHost() {
  const { matchmaking, calls, searchCommands } = useVideo()
  const ring = useStore(matchmaking, (state) => state.ring)
  const ended = useStore(matchmaking, (state) => state.ended_ring)
  const isOwn = ring?.pair.role_in_call === 'caller'
  const hasCall = useStore(calls, ({ call }) => call !== null)
  const isCallPage = useLocation().pathname === '/'
  const direct = useStore(calls, ({ call }) =>
    call?.session.kind === 'direct' && call.is_fresh ? call.session.id : undefined,
  )
  useOpenCallPage(direct)
  const endsAtMs = ring?.expires_at_ms
  useEffect(() => {
    if (endsAtMs === undefined) return
    const timer = setTimeout(searchCommands.silenceRing, endsAtMs + LATE_MS - Date.now())
    return () => clearTimeout(timer)
  }, [endsAtMs, searchCommands])
  if (!ring || isOwn) return <CallingDialog ring={ring} ended={ended} />
  const { pair_id } = ring.pair
  if (!hasCall) return <RingingDialog key={pair_id} ring={ring} />
  return <RingingCard key={pair_id} ring={ring} place={isCallPage ? 'call' : 'page'} />
}

function useOpenCallPage(sessionId: number | undefined): void {
  const navigate = useNavigate()
  // The call may have opened before this bundle was loaded.
  const opened = useRef<number>(undefined)
  useEffect(() => {
    if (sessionId === undefined || opened.current === sessionId) return
    opened.current = sessionId
    void navigate('/')
  }, [sessionId, navigate])
}
