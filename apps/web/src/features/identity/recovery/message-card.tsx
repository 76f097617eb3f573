import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Mark } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'

interface MessageCardProps {
  title: string
  /** Announced when it changes: the answer replaces the question on the same page. */
  text: string
  children?: ReactNode
}

/** A page with one card on the light of the scene. The links of mails lead to such pages. */
export function MessageCard({ title, text, children }: MessageCardProps) {
  return (
    <main className="scene-glow flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="panel w-full max-w-[440px] p-7 md:p-9">
        <Link to="/" aria-label={t('app.name')} className="hit inline-flex rounded-tag">
          <Mark size={40} />
        </Link>
        <div role="status">
          <h1 tabIndex={-1} className="display-s mt-5">
            {title}
          </h1>
          <p className="body mt-2 text-text-2">{text}</p>
        </div>
        {children}
      </div>
    </main>
  )
}
