import type { ReactNode } from 'react'
import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { Link } from 'react-router'
import { cx, Wordmark } from '@duet/ui'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'

interface ReadingPageProps {
  readonly title: ReactNode
  /** The page has a column beside the text. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A page with a text or a form, which needs no account: mails and the law require its address. */
export function ReadingPage({ title, isWide, children }: ReadingPageProps) {
  const isMember = useAuthStatus() === 'member'
  const { header_end } = useFrame()
  const width = isWide ? 'max-w-[1080px]' : 'max-w-[760px]'
  return (
    <div className="pb-24">
      {/* The buttons of the members' header need the width of the other pages. */}
      <header
        className={cx(
          'mx-auto flex min-h-16 w-full items-center gap-4 pt-5',
          isMember ? 'max-w-[1440px] px-4 md:px-9' : `${width} px-5`,
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
      <main className={cx('mx-auto mt-8 w-full px-5 md:mt-14', width)}>
        <h1 tabIndex={-1} className="display-l">
          {title}
        </h1>
        {children}
      </main>
    </div>
  )
}
