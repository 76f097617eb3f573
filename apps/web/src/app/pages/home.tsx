import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { modals } from '../../lib/modals.ts'
import { useStanding } from '../../lib/people.ts'
import { useSnapshot } from '../../lib/session.tsx'
import { continuation } from '../guards.ts'
import { MemberHome } from './member-home.tsx'
import { VisitorHome } from './visitor-home.tsx'

/** `/`: the landing page of visitors, which turns into the call screen; the idle screen and the call of members. */
export function Home() {
  const standing = useStanding()
  const { auth } = useSnapshot()
  const [hasEntered, setEntered] = useState(false)
  useLoginThen()
  // Another page stands at the same address now: it begins at its top like any other.
  useEffect(() => {
    scrollTo(0, 0)
  }, [standing, hasEntered])
  const isInVideo =
    Boolean(auth?.active_session) || (auth?.search ?? { state: 'idle' }).state !== 'idle'
  if (standing === 'unknown') return <div className="min-h-dvh bg-bg" />
  if (standing === 'member' || hasEntered || isInVideo)
    return <MemberHome starts_at_once={hasEntered} onLeave={() => setEntered(false)} />
  return <VisitorHome onEnter={() => setEntered(true)} />
}

/** A guard sent somebody here: Login opens, and what he wanted to see follows. */
function useLoginThen(): void {
  const { state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const then = continuation(state)
    if (!then) return
    void (async () => {
      await navigate('/', { replace: true, state: null })
      if (await modals.ask('login', {})) await navigate(then)
    })()
  }, [state, navigate])
}
