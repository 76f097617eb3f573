import type { ReactNode } from 'react'
import type { ComplaintCase } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { t, textOr } from '../texts.ts'
import { FrameStrip } from './frame-strip.tsx'
import { sideName } from './timeline.tsx'
import { useVeil, VeilButton } from './veil.tsx'

/** The pictures of a case, blurred and grey until the moderator shows them. */
export function EvidencePictures({
  shown,
  frame,
  onFrame,
  children,
}: {
  shown: ComplaintCase
  frame: string | undefined
  onFrame: (id: string | undefined) => void
  children: ReactNode
}) {
  const veil = useVeil()
  const { isClear } = veil
  const pictures = shownPictures(shown)
  const isEmpty = pictures.length + shown.frames.length === 0
  return (
    <section aria-label={t('office.evidence.title')} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {children}
        {!isEmpty && <VeilButton {...veil} />}
      </div>
      {isEmpty && <p className="text-text-2">{t('office.evidence.none')}</p>}
      <div className={cx('grid gap-2 md:grid-cols-2', pictures.length > 2 && 'xl:grid-cols-3')}>
        {pictures.map((picture) => (
          <Picture
            key={`${picture.kind} ${picture.source}`}
            shown={shown}
            picture={picture}
            isClear={isClear}
          />
        ))}
      </div>
      <FrameStrip
        frames={shown.frames}
        begun={shown.call?.connected_at ?? shown.frames[0]?.at ?? ''}
        source={(id) => `/api/v2/manager/complaints/${shown.complaint.id}/frames/${id}`}
        isClear={isClear}
        chosen={frame}
        onChoose={onFrame}
      />
    </section>
  )
}

type ShownPicture = Pick<
  ComplaintCase['evidence'][number],
  'kind' | 'source' | 'user_id' | 'sealed'
>

/** The pictures of the evidence, and the reported one, of which the evidence may have no copy. */
function shownPictures({ evidence, named, complaint }: ComplaintCase): ShownPicture[] {
  const kept = evidence.filter(({ kind }) => kind !== 'record')
  const source = named?.status ? named.media_id : null
  if (source === null || kept.some((one) => one.source === source)) return kept
  const reported = {
    kind: 'picture',
    source,
    user_id: complaint.accused.id,
    sealed: false,
  } as const
  return [reported, ...kept]
}

interface PictureProps {
  shown: ComplaintCase
  picture: ShownPicture
  isClear: boolean
}

function Picture({ shown, picture: { kind, source, user_id, sealed }, isClear }: PictureProps) {
  const { id } = shown.complaint
  const name = sideName(shown.complaint, user_id)
  const label = textOr(`office.evidence.${kind}`, kind, { name })
  return (
    <figure className="relative overflow-hidden rounded-field bg-surface-2">
      <img
        alt={label}
        className={cx('aspect-[4/3] w-full object-contain', !isClear && 'veiled')}
        src={`/api/v2/manager/complaints/${id}/evidence/${kind}?${new URLSearchParams({ source })}`}
      />
      <figcaption className="absolute start-2 top-2 rounded-tag bg-black/70 text-white px-2 py-0.5">
        {label}
        {sealed && ` · ${t('office.evidence.sealed')}`}
      </figcaption>
    </figure>
  )
}
