import { useState } from 'react'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { authorityRequests, reportReasons } from '@duet/protocol/kernel/report-choices.ts'
import { CheckboxRow, Field, Select, TextArea } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { PictureChoice } from './picture-choice.tsx'
import type { FieldRule } from './report-fields.ts'
import { ReportFormPage } from './report-form-page.tsx'
import { useReportForm } from './use-report-form.ts'

const CONTACT: FieldRule = { kind: 'email', most: limits.email_characters }
const NAME: FieldRule = { kind: 'text', least: 2, most: limits.title_characters }
const TEXT: FieldRule = { kind: 'text', most: limits.comment_characters }
const WHERE: FieldRule = { kind: 'text', most: limits.url_characters }
const CHOICE: FieldRule = { kind: 'choice', most: limits.title_characters }

type ReasonValue = (typeof reportReasons)[number]
type RequestValue = (typeof authorityRequests)[number]

/** `/report/content`. */
export function ContentForm() {
  const { field, values, errors, write, ...page } = useReportForm(
    { where: WHERE, reason: CHOICE, text: TEXT, contact: CONTACT },
    (http, { reason, ...sent }, own) =>
      http.post('reports/content', { ...sent, ...own, reason: reason as ReasonValue }),
  )
  return (
    <ReportFormPage kind="content" {...page}>
      <TextArea
        label={t('report.where')}
        help={t('report.where_help')}
        rows={2}
        {...field('where')}
      />
      <Select
        label={t('report.reason')}
        placeholder={t('report.choose')}
        options={reportReasons.map((value) => ({ value, label: t(`report.reason.${value}`) }))}
        value={(values.reason || null) as ReasonValue | null}
        error={errors.reason}
        help={values.reason === 'child' ? t('report.reason_child') : undefined}
        onChange={(reason) => write('reason', reason)}
      />
      <TextArea label={t('report.text')} help={t('report.text_help')} rows={5} {...field('text')} />
      <ContactField {...field('contact')} />
    </ReportFormPage>
  )
}

/** `/report/intimate-image`. */
export function IntimateImageForm() {
  const [picture, setPicture] = useState<Blob>()
  const { field, values, errors, write, ...page } = useReportForm(
    {
      where: WHERE,
      text: { ...TEXT, isOptional: true },
      contact: CONTACT,
      signature: NAME,
      statement: { kind: 'agreement', most: 1 },
    },
    (http, { statement: _, ...sent }, own) =>
      http.post(
        'reports/intimate-image',
        { ...sent, ...own },
        picture ? { files: { image: picture } } : {},
      ),
  )
  return (
    <ReportFormPage kind="intimate_image" {...page}>
      <PictureChoice picture={picture} onChoose={setPicture} />
      <TextArea
        label={t('report.where')}
        help={t('report.where_picture_help')}
        rows={2}
        {...field('where')}
      />
      <TextArea label={t('report.text_optional')} rows={3} {...field('text')} />
      <ContactField {...field('contact')} />
      <Field
        label={t('report.signature')}
        help={t('report.signature_help')}
        autoComplete="name"
        {...field('signature')}
      />
      <CheckboxRow
        checked={values.statement !== ''}
        error={errors.statement}
        onChange={(on) => write('statement', on ? '1' : '')}
      >
        {t('report.statement')}
      </CheckboxRow>
    </ReportFormPage>
  )
}

/** `/report/authority`. */
export function AuthorityForm() {
  const { field, values, errors, write, ...page } = useReportForm(
    {
      authority: NAME,
      officer: NAME,
      request: CHOICE,
      reference: { ...NAME, least: 1, isOptional: true },
      text: TEXT,
      contact: CONTACT,
    },
    (http, { request, ...sent }, own) =>
      http.post('reports/authority', { ...sent, ...own, request: request as RequestValue }),
  )
  return (
    <ReportFormPage kind="authority" {...page}>
      <div className="grid gap-6 md:grid-cols-2 md:gap-4">
        <Field label={t('report.authority')} autoComplete="organization" {...field('authority')} />
        <Field label={t('report.officer')} autoComplete="name" {...field('officer')} />
        <Select
          label={t('report.request')}
          placeholder={t('report.choose')}
          options={authorityRequests.map((value) => ({
            value,
            label: t(`report.request.${value}`),
          }))}
          value={(values.request || null) as RequestValue | null}
          error={errors.request}
          onChange={(request) => write('request', request)}
        />
        <Field label={t('report.reference')} {...field('reference')} />
      </div>
      <TextArea
        label={t('report.text_authority')}
        help={t('report.text_authority_help')}
        rows={6}
        {...field('text')}
      />
      <ContactField {...field('contact')} />
    </ReportFormPage>
  )
}

function ContactField(field: {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onBlur: () => unknown
  readonly onChange: (event: { target: { value: string } }) => void
}) {
  return (
    <Field
      label={t('report.contact')}
      help={t('report.contact_help')}
      type="email"
      inputMode="email"
      autoComplete="email"
      dir="ltr"
      {...field}
    />
  )
}
