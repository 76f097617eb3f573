import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { ScalesIcon } from '@phosphor-icons/react/dist/csr/Scales'
import { Link } from 'react-router'
import { t } from '../../../shared/i18n.ts'
import { ReadingPage } from '../reading-page.tsx'

const FORMS = [
  { form: 'intimate_image', to: '/report/intimate-image', Icon: EyeSlashIcon },
  { form: 'content', to: '/report/content', Icon: FlagIcon },
  { form: 'authority', to: '/report/authority', Icon: ScalesIcon },
] as const

/** `/report`: the choice of the form. */
export function ReportHub() {
  return (
    <ReadingPage title={t('report.title')}>
      <p className="body mt-4 max-w-[60ch] text-text-2">{t('report.lead')}</p>
      <ul className="mt-9 flex flex-col gap-3">
        {FORMS.map(({ form, to, Icon }) => (
          <li key={form}>
            <Link
              to={to}
              className="panel group flex items-center gap-4 p-5 hover:bg-surface-2 md:gap-5 md:p-6"
            >
              <span className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-surface-3 text-ember-hi">
                <Icon size={24} weight="duotone" />
              </span>
              <span className="flex min-w-0 flex-1 flex-col gap-1">
                <span className="title">{t(`report.${form}.name`)}</span>
                <span className="note text-text-2">{t(`report.${form}.when`)}</span>
              </span>
              <CaretRightIcon
                size={18}
                className="mirror shrink-0 text-text-3 group-hover:text-text"
              />
            </Link>
          </li>
        ))}
      </ul>
      <p className="note mt-8 max-w-[60ch] text-text-3">{t('report.inside')}</p>
      <p className="note mt-3 max-w-[60ch] text-text-3">{t('report.danger')}</p>
    </ReadingPage>
  )
}
