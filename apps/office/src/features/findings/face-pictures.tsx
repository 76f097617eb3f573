import { useState } from 'react'
import type { FindingsCase } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { t } from '../../shared/texts.ts'

interface PicturesProps {
  pictures: FindingsCase['findings'][number]['pictures']
}

/** The pictures of both accounts beside each other. They are fetched by a press, because each look is recorded. */
export function FacePictures({ pictures }: PicturesProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        className="self-start"
        size={30}
        variant="outline"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? t('office.findings.hide_pictures') : t('office.findings.compare_pictures')}
      </Button>
      {isOpen && (
        <div className="grid grid-cols-2 gap-2 md:grid-cols-3">
          {pictures.map(({ user_id, media_id }) => (
            <FacePicture key={media_id ?? user_id} userId={user_id} mediaId={media_id} />
          ))}
        </div>
      )}
    </>
  )
}

function FacePicture({ userId, mediaId }: { userId: number; mediaId: string | null }) {
  const [hasFailed, setFailed] = useState(false)
  const owner = t('office.person', { id: userId })
  return (
    <figure className="flex flex-col gap-1">
      {mediaId === null || hasFailed ? (
        <p className="text-text-2">
          {mediaId === null ? t('office.findings.portrait_gone') : t('office.findings.gone')}
        </p>
      ) : (
        <img
          alt={t('office.findings.picture', { owner })}
          className="aspect-square w-full rounded-field bg-surface-2 object-contain"
          src={`/api/v2/manager/users/${userId}/pictures/${mediaId}/picture`}
          onError={() => setFailed(true)}
        />
      )}
      <figcaption className="text-text-2">{owner}</figcaption>
    </figure>
  )
}
