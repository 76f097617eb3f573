import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { dialogs } from '../../shared/dialogs.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useSnapshot } from '../../shared/app-services.tsx'
import { continuation } from '../access.ts'
import { useRuntime } from '../runtime/runtime-context.ts'
import { VisitorHome } from './visitor-home.tsx'

/** `/`. Visitors see the landing page, which turns into the call screen. Members see the idle screen and the call. */
export function Home() {
  const standing = useAuthStatus()
  const { auth } = useSnapshot()
  const [hasEntered, setEntered] = useState(false)
  const enter = useCallback(() => setEntered(true), [])
  const MemberHome = useRuntime()?.screens.MemberHome
  useLoginThen()
  useTopOnChange(`${standing} ${hasEntered}`)
  const isInVideo =
    Boolean(auth?.active_session) || (auth?.search ?? { state: 'idle' }).state !== 'idle'
  const isOwnHome = standing === 'member' || hasEntered || isInVideo
  if (standing !== 'unknown' && !isOwnHome) return <VisitorHome onEnter={enter} />
  if (standing === 'unknown' || !MemberHome) return <div className="min-h-dvh bg-bg" />
  return <MemberHome starts_at_once={hasEntered} onLeave={() => setEntered(false)} />
}

/**
 * If another page appears at the same address, the new page starts at its top. The first page keeps its scroll
 * position.
 */
function useTopOnChange(page: string): void {
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    scrollTo(0, 0)
  }, [page])
}

/** After a redirect from a page for members: opens the login, then the page that was requested. */
function useLoginThen(): void {
  const { state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const then = continuation(state)
    if (!then) return
    void (async () => {
      await navigate('/', { replace: true, state: null })
      if (await dialogs.ask('login', {})) await navigate(then)
    })()
  }, [state, navigate])
}
