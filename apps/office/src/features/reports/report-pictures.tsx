import { cx } from '@duet/ui/class-names.ts'
import { useVeil, VeilButton } from '../../shared/evidence/veil.tsx'
import { PersonLink } from '../../shared/person-link.tsx'
import { t } from '../../shared/texts.ts'
import type { ReportCase } from './report-names.ts'

/** The copies that were found of the reported picture, blurred and grey until the moderator shows them. */
export function ReportPictures({
  report: { id, kind, pictures, has_hash },
}: {
  report: ReportCase
}) {
  const veil = useVeil()
  if (kind !== 'intimate_image') return null
  if (pictures.length === 0)
    return (
      <p className="text-text-2">
        {has_hash ? t('office.report.no_copies') : t('office.report.no_picture')}
      </p>
    )
  return (
    <section aria-label={t('office.evidence.title')} className="flex flex-col gap-2">
      <div className="self-end">
        <VeilButton {...veil} />
      </div>
      <div className="grid gap-2 md:grid-cols-2">
        {pictures.map(({ media_id, owner_id, status }) => {
          const owner = owner_id === null ? '–' : t('office.person', { id: owner_id })
          return (
            <figure
              key={media_id}
              className="relative grid min-h-24 place-items-center overflow-hidden rounded-field bg-surface-2"
            >
              {status === null ? (
                <p className="text-text-2">{t('office.report.gone')}</p>
              ) : (
                <img
                  alt={t('office.report.copy', { owner })}
                  loading="lazy"
                  className={cx('aspect-[4/3] w-full object-contain', !veil.isClear && 'veiled')}
                  src={`/api/v2/manager/reports/${id}/pictures/${media_id}`}
                />
              )}
              <figcaption className="absolute start-2 top-2 rounded-tag bg-surface-3 px-2 py-0.5">
                {owner_id === null ? (
                  owner
                ) : (
                  <PersonLink isAside person={{ id: owner_id, nick: null }} />
                )}
              </figcaption>
            </figure>
          )
        })}
      </div>
    </section>
  )
}
