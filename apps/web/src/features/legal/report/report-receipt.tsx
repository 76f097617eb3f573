import { useEffect, useState } from 'react'
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { CopyIcon } from '@phosphor-icons/react/dist/csr/Copy'
import { Link } from 'react-router'
import { Button, buttonLook } from '@duet/ui'
import { currentLocale, pathInLocale, t } from '../../../shared/i18n.ts'
import { formatDay } from '../../../shared/texts/format-day.ts'
import { ReadingPage } from '../reading-page.tsx'
import type { SentReport } from './use-report-form.ts'

/** The number of a report and its secret link, which the reporter keeps. */
export function ReportReceipt({ sent }: { sent: SentReport }) {
  const { receipt, answer_until, secret } = sent
  const path = `/report/state#${secret}`
  const link = `${location.origin}${pathInLocale(path, currentLocale())}`
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    scrollTo(0, 0)
    document.querySelector('h1')?.focus()
  }, [])
  const copy = async () => {
    await navigator.clipboard.writeText(link)
    setCopied(true)
  }
  return (
    <ReadingPage title={t('report.receipt.title')}>
      <div className="panel mt-9 flex flex-col gap-5 p-6 md:p-9">
        <div className="flex items-center gap-4">
          <CheckCircleIcon size={40} weight="fill" className="shrink-0 text-ok" />
          <div className="flex min-w-0 flex-col">
            <span className="note text-text-2">{t('report.receipt.number')}</span>
            <span className="display-s figures">{receipt}</span>
          </div>
        </div>
        <p className="body text-text-2">
          {t('report.receipt.text', { day: formatDay(answer_until) })}
        </p>
        <div className="flex flex-col gap-1.5">
          <span className="note text-text-2">{t('report.receipt.link')}</span>
          <p className="note figures rounded-field bg-surface-2 px-4 py-3.5 break-all text-text select-all">
            {link}
          </p>
          <span className="meta text-text-3">{t('report.receipt.keep')}</span>
        </div>
        <div className="flex flex-wrap gap-3">
          <Link to={path} className={`${buttonLook({ variant: 'primary' })} max-md:w-full`}>
            {t('report.receipt.open')}
          </Link>
          <Button
            icon={<CopyIcon size={18} />}
            className="max-md:w-full"
            onClick={() => void copy()}
          >
            {t(isCopied ? 'report.receipt.copied' : 'report.receipt.copy')}
          </Button>
          <span role="status" className="sr-only">
            {isCopied ? t('report.receipt.copied') : ''}
          </span>
        </div>
      </div>
    </ReadingPage>
  )
}
