import { buttonLook } from '@duet/ui'
import { t } from '../../shared/i18n.ts'

/** Shown when a screen failed. It uses nothing that could fail as well. */
export function BrokenPage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-5 text-center">
      <h1 tabIndex={-1} className="display-l">
        {t('error.title.undefined')}
      </h1>
      <p className="body mt-3 text-text-2">{t('system.broken_text')}</p>
      <button
        type="button"
        onClick={() => location.reload()}
        className={`${buttonLook({ variant: 'primary', size: 54 })} mt-8`}
      >
        {t('system.reload')}
      </button>
    </main>
  )
}
