import { StatisticsSwitch } from '../../shared/account/statistics-switch.tsx'
import { LegalText, type LegalDocument } from './legal-text.tsx'
import { ReadingPage } from './reading-page.tsx'
import { t } from '../../shared/i18n.ts'

/** Terms and privacy as pages of their own, because mails and the law require an address. */
export function LegalPage({ document }: { document: LegalDocument }) {
  return (
    <ReadingPage title={t(`law.${document}.title`)}>
      <LegalText document={document} className="mt-8" />
      {document === 'privacy' ? <StatisticsSwitch className="mt-8" /> : null}
    </ReadingPage>
  )
}
