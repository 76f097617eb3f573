import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { Link } from 'react-router'
import { Wordmark } from '@duet/ui'
import { LegalText, type LegalDocument } from './legal-text.tsx'
import { useFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/auth-status.ts'

/** Terms and privacy as pages of their own, because mails and the law require an address. */
export function LegalPage({ document }: { document: LegalDocument }) {
  const isMember = useAuthStatus() === 'member'
  const { header_end } = useFrame()
  return (
    <div className="mx-auto w-full max-w-[760px] px-5 pt-5 pb-24">
      <header className="flex min-h-16 items-center gap-4">
        <Link to="/" aria-label={t('law.home')} className="hit inline-flex items-center gap-3">
          {isMember ? (
            <ArrowLeftIcon size={22} className="mirror" />
          ) : (
            <Wordmark name={t('app.name')} size={28} />
          )}
        </Link>
        <span className="flex-1" />
        {header_end}
      </header>
      <main className="mt-8 md:mt-14">
        <h1 tabIndex={-1} className="display-l">
          {t(`law.${document}.title`)}
        </h1>
        <LegalText document={document} className="mt-8" />
      </main>
    </div>
  )
}
