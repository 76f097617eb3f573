import { roleOfGender } from '@duet/protocol/kernel/roles.ts'
import { memo, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { DemoUsers, findPressed } from '../../features/demo/demo-users.tsx'
import { useDemoSignIn } from '../../features/demo/sign-in.ts'
import { Landing } from '../../features/landing/index.ts'
import { useAgeConfirmation } from '../../shared/account/age-confirmation.ts'
import { entryParams } from '../../shared/navigation/entry-params.ts'
import { useLocation } from 'react-router'
import { dialogs } from '../../shared/dialogs.ts'
import { CONNECTION_WAIT_MS, useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { useAddress } from '../address.ts'
import type { Figures } from '../runtime/landing-figures.tsx'
import { useRuntime } from '../runtime/runtime-context.ts'
import { takeEarlyClick } from '../start/early-click.ts'
import { usePageCast } from '../start/page-cast.ts'

/**
 * The landing page with live counts, prices and buttons. A change of the connection does not render the page again. New
 * data is a transition, so that a press is answered first.
 */
export const VisitorHome = memo(function VisitorHome({ onEnter }: { onEnter: () => void }) {
  const { connection, persistence } = useAppServices()
  const adult = useAgeConfirmation()
  const pageCast = usePageCast()
  const LandingFigures = useRuntime()?.screens.LandingFigures
  // The prerendered page has no data, and it is hydrated as it is.
  const [{ settings, system, women_online }, setFigures] = useState<Figures>({})
  const showFigures = useCallback(
    (figures: Figures) => startTransition(() => setFigures(figures)),
    [],
  )
  const { busy, press: start } = usePress(async () => {
    // A new visitor is asked at once. An account or this device may have answered already.
    if (persistence.get('token') || persistence.get('age_accepted'))
      await connection.ready(CONNECTION_WAIT_MS)
    if (!(await adult())) return
    const gender = connection.getSnapshot().auth?.user.gender
    const isWoman = gender && roleOfGender(gender) === 'girl'
    // A woman registers first: she cannot be met without an account.
    if (isWoman) dialogs.open('register', { reason: 'registered_only' })
    else onEnter()
  })

  const cast = system?.demo?.cast ?? pageCast
  const { busy_id, signIn } = useDemoSignIn()
  useEarlyPress((pressed) => {
    const person = findPressed(cast ?? [], pressed)
    if (pressed === 'start') void start()
    else if (pressed === 'login') dialogs.open('login', loginInput())
    else if (pressed === 'register') dialogs.open('register', {})
    else if (pressed === 'demo') dialogs.open('demo_window', {})
    else if (person) signIn(person.user_id)
  })
  return (
    <>
      {LandingFigures ? <LandingFigures onChange={showFigures} /> : null}
      <Landing
        {...useAddress()}
        settings={settings}
        features={system?.features}
        women_online={women_online}
        busy={busy}
        onStart={() => void start()}
        onLogin={() => dialogs.open('login', loginInput())}
        onRegister={() => dialogs.open('register', {})}
        demo={cast ? <DemoUsers cast={cast} busy_id={busy_id} onSignIn={signIn} /> : null}
      />
    </>
  )
})

function loginInput() {
  const { email } = entryParams()
  return email ? { email } : {}
}

/** Runs the action of a click that came before the application was loaded. Some entry links start without a click. */
function useEarlyPress(run: (pressed: string) => void): void {
  const done = useRef(false)
  const { state } = useLocation()
  const wantsStart = typeof state === 'object' && state !== null && 'start' in state
  useEffect(() => {
    if (done.current) return
    done.current = true
    const pressed = takeEarlyClick()
    if (pressed) run(pressed)
    else if (wantsStart || entryParams().starts_camera) run('start')
  }, [run, wantsStart])
}
