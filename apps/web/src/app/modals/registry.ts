import type { ComponentType } from 'react'
import { lazyScreen } from '../../lib/lazy-screen.ts'
import type { ModalName, ModalProps } from '../../lib/modals.ts'

const identity = () => import('../../features/identity/dialogs.ts')
const law = () => import('../../features/reading/index.ts')
const wallet = () => import('../../features/wallet/not-balance-dialog.tsx')
const demo = () => import('../../features/demo/demo-window-dialog.tsx')

/** Dialogs by name. They come when they are first opened, or earlier by `preloadDialogs`. */
export const registry: { readonly [Name in ModalName]: ComponentType<ModalProps<Name>> } = {
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
