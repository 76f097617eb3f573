import texts from '@duet/locales/en/office-reports.json'
import type { Answer } from '@duet/protocol'
import { addTexts, msg, t, textOr } from '../../shared/texts.ts'

addTexts(texts)

export type ListedReport = Answer<'GET v2/manager/reports'>['items'][number]
export type ReportCase = Answer<'GET v2/manager/reports/{id}'>

const KINDS = {
  intimate_image: msg('office.report.intimate_image'),
  content: msg('office.report.content'),
  authority: msg('office.report.authority'),
} as const

export function kindName({ kind }: Pick<ListedReport, 'kind'>): string {
  return t(KINDS[kind])
}

/** The reason: of a letter the request, otherwise the same names as those of complaints. */
export function reasonName({ kind, reason, receipt }: ListedReport): string {
  if (kind === 'intimate_image') return receipt
  const names = kind === 'authority' ? 'request' : 'reason'
  return textOr(`office.report.${names}.${reason}`, textOr(`office.complaint.${reason}`, reason))
}
