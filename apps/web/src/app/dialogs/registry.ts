import type { ComponentType } from 'react'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import type { DialogName, OpenDialogProps } from '../../shared/dialogs.ts'

const identity = () => import('../../features/identity/dialogs.ts')
const law = () => import('../../features/legal/index.ts')
const wallet = () => import('../../features/ledger/not-balance-dialog.tsx')
const demo = () => import('../../features/demo/demo-window-dialog.tsx')

/** Dialogs by name. They come when they are first opened, or earlier by `preloadDialogs`. */
export const registry: { readonly [Name in DialogName]: ComponentType<OpenDialogProps<Name>> } = {
  login: lazyScreen(identity, (module) => module.LoginDialog),
  register: lazyScreen(identity, (module) => module.RegisterDialog),
  register_success: lazyScreen(identity, (module) => module.RegisterSuccess),
  age_confirmation: lazyScreen(identity, (module) => module.AgeGate),
  languages: lazyScreen(identity, (module) => module.LanguagesDialog),
  terms: lazyScreen(law, (module) => module.TermsDialog),
  privacy: lazyScreen(law, (module) => module.PrivacyDialog),
  not_balance: lazyScreen(wallet, (module) => module.NotBalanceDialog),
  demo_window: lazyScreen(demo, (module) => module.DemoWindowDialog),
  error: lazyScreen(
    () => import('./error-dialog.tsx'),
    (module) => module.ErrorDialog,
  ),
}

/** When the page is idle: the dialogs that a first press opens. */
export function preloadDialogs(): void {
  void identity().catch(() => {})
}
