import { useId, type FormEvent, type ReactNode, type RefObject } from 'react'
import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { Link } from 'react-router'
import type { ReportKind } from '@duet/protocol'
import { Button } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { ReadingPage } from '../reading-page.tsx'
import { ReportReceipt } from './report-receipt.tsx'
import type { SentReport } from './use-report-form.ts'

interface ReportFormPageProps {
  readonly kind: ReportKind
  readonly form: RefObject<HTMLFormElement | null>
  readonly submit: (event: FormEvent) => void
  readonly busy: boolean
  readonly sent: SentReport | undefined
  readonly children: ReactNode
}

const STEPS = [1, 2, 3] as const

/** A public form with its course beside it; in its place the receipt, once it has arrived. */
export function ReportFormPage(props: ReportFormPageProps) {
  const { kind, form, submit, busy, sent, children } = props
  const id = useId()
  if (sent) return <ReportReceipt sent={sent} />
  return (
    <ReadingPage isWide title={t(`report.${kind}.title`)}>
      <p className="body mt-4 max-w-[60ch] text-text-2">{t(`report.${kind}.lead`)}</p>
      <div className="mt-9 grid gap-8 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-12">
        <aside aria-labelledby={id} className="lg:order-2">
          <div className="panel p-6 lg:sticky lg:top-8">
            <h2 id={id} className="title">
              {t('report.course')}
            </h2>
            <ol className="mt-4 flex flex-col gap-4">
              {STEPS.map((step) => (
                <li key={step} className="flex gap-3.5">
                  <span
                    aria-hidden
                    className="figures note inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-surface-3 text-ember-hi"
                  >
                    {step}
                  </span>
                  <span className="note pt-1 text-text-2">{t(`report.${kind}.step_${step}`)}</span>
                </li>
              ))}
            </ol>
          </div>
        </aside>
        <form ref={form} noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-6">
          {children}
          <div className="flex flex-wrap items-center gap-3 pt-2">
            <Button type="submit" variant="primary" size={54} busy={busy} className="max-md:w-full">
              {t('report.send')}
            </Button>
            <Link
              to="/report"
              className="hit ui inline-flex min-h-11 items-center gap-2 px-3 text-text-2 max-md:mx-auto hover:text-text"
            >
              <ArrowLeftIcon size={16} className="mirror" />
              {t('report.other')}
            </Link>
          </div>
        </form>
      </div>
    </ReadingPage>
  )
}
