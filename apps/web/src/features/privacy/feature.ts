import type texts from '@duet/locales/en/privacy.json'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    privacy: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    export_data: { input: Record<never, never>; answer: { key: string } }
    delete_account: { input: Record<never, never>; answer: { erased_at: string } }
    account_leaves: { input: { erased_at: string }; answer: never }
  }
}

const loadDialogs = () => import('./delete-account-dialog.tsx')

/** Privacy: the copy of the own data, and the deletion of the account. `app/system/layers.tsx` loads the statistics. */
export const privacy = {
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  dialogs: {
    export_data: lazyScreen(
      () => import('./export-dialog.tsx'),
      (module) => module.ExportDialog,
    ),
    delete_account: lazyScreen(loadDialogs, (module) => module.DeleteAccountDialog),
    account_leaves: lazyScreen(loadDialogs, (module) => module.AccountLeavesDialog),
  },
  errorAreas: {
    'POST delete_account': 'profile',
    'POST account/export': 'profile',
    'GET account/export': 'profile',
  },
} satisfies Feature
