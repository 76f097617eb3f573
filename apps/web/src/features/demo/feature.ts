import type texts from '@duet/locales/en/demo.json'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { entryParams } from '../../shared/navigation/entry-params.ts'
import type { Feature, FeatureContext } from '../../shared/feature.ts'
import { SYSTEM_KEY } from '../../shared/queries.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    demo: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    demo_window: { input: Record<never, never>; answer: never }
  }
}

/**
 * A second window signs in as the demo user that its opener names. Any other address with `demo` offers the demo users.
 */
async function enterDemo({ connection, queries, report }: FeatureContext): Promise<void> {
  const { demo: entered } = entryParams()
  if (entered === undefined) return
  try {
    const system = await queries.fetchQuery({
      queryKey: SYSTEM_KEY,
      queryFn: () => connection.system(),
    })
    if (!system.demo) return
    const { askOpener } = await import('../../shared/navigation/second-window.ts')
    const user_id = entered === 'offer' ? undefined : await askOpener(entered.key)
    if (user_id === undefined) return dialogs.open('demo_window', {})
    await connection.ready()
    const { token } = await connection.http.post('demo/sign-in', { user_id })
    await connection.useToken(token)
  } catch (error) {
    report(error)
  }
}

/** The demo users' portraits are blurred for users who have not confirmed their age. */
function refreshPortraitsAfterAgeConfirmation({ connection, queries }: FeatureContext): void {
  followConnection(connection, {
    ownRecord(auth, before) {
      if (auth && before && before.user.age_confirmed !== auth.user.age_confirmed)
        void queries.invalidateQueries({ queryKey: SYSTEM_KEY })
    },
  })
}

/** Demo: users to sign in as, in the demo installation only. */
export const demo = {
  dialogs: {
    demo_window: lazyScreen(
      () => import('./demo-window-dialog.tsx'),
      (module) => module.DemoWindowDialog,
    ),
  },
  errorAreas: { 'POST demo/sign-in': 'login' },
  start(context) {
    refreshPortraitsAfterAgeConfirmation(context)
    void enterDemo(context)
  },
} satisfies Feature
