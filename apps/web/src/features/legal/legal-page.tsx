import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { Link } from 'react-router'
import { cx, Wordmark } from '@duet/ui'
import { LegalText, type LegalDocument } from './legal-text.tsx'
import { useFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'

/** Terms and privacy as pages of their own, because mails and the law require an address. */
export function LegalPage({ document }: { document: LegalDocument }) {
  const isMember = useAuthStatus() === 'member'
  const { header_end } = useFrame()
  return (
    <div className="pb-24">
      {/* The buttons of the members' header need the width of the other pages. */}
      <header
        className={cx(
          'mx-auto flex min-h-16 w-full items-center gap-4 pt-5',
          isMember ? 'max-w-[1440px] px-4 md:px-9' : 'max-w-[760px] px-5',
        )}
      >
        <Link
          to="/"
          aria-label={isMember ? t('action.back_home') : t('app.home', { name: t('app.name') })}
          className="hit inline-flex items-center gap-3"
        >
          {isMember ? (
            <ArrowLeftIcon size={22} className="mirror" />
          ) : (
            <Wordmark name={t('app.name')} size={28} />
          )}
        </Link>
        <span className="flex-1" />
        {header_end}
      </header>
      <main className="mx-auto mt-8 w-full max-w-[760px] px-5 md:mt-14">
        <h1 tabIndex={-1} className="display-l">
          {t(`law.${document}.title`)}
        </h1>
        <LegalText document={document} className="mt-8" />
      </main>
    </div>
  )
}
