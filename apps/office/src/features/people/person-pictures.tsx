import { Link } from 'react-router'
import type { OfficeUser } from '@duet/protocol'
import type { PersonPicture } from '@duet/protocol/contracts/media-desk.ts'
import { photoVerdicts } from '@duet/protocol/kernel/rule-names.ts'
import type { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api } from '../../shared/api.ts'
import { PagedTable, useRowPages } from '../../shared/table/paged-table.tsx'
import { useDraft, usePending } from '../../shared/queue/pending-decision.tsx'
import { useVerdictText, VerdictText } from '../../shared/queue/verdict-form.tsx'
import { msg, t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { useFilters } from '../../shared/use-filters.ts'
import '../../shared/sanctions/child-texts.ts'
import { VeiledMedia } from '../../shared/veiled-media.tsx'

const PER_PAGE = 24
const PICTURE = 'picture'
const KINDS = { photo: msg('word.photo'), video: msg('office.media.video') }

function kindName({ kind, product }: PersonPicture): string {
  return `${t(KINDS[kind])} · ${product}`
}

/** The pictures and videos of a person. Each is opened by a press, because each look is recorded. */
export function PersonPictures({ person }: { person: OfficeUser }) {
  const { id } = person
  // In the address, to which an undo returns.
  const { value, filter } = useFilters()
  const list = {
    // A decision that was sent renews what begins like this.
    queryKey: ['queue', 'pictures of a person', id],
    fetchPage: (page: number | undefined) =>
      api.get('v2/manager/users/{id}/pictures', { id, page, 'per-page': PER_PAGE }),
  }
  const opened = useRowPages<PersonPicture>(list).rows.find((row) => row.id === value(PICTURE))
  return (
    <>
      <p className="text-text-2">{t('office.person.pictures_text')}</p>
      <PagedTable<PersonPicture>
        name="pictures"
        label={t('office.person.pictures')}
        none={t('office.person.no_pictures')}
        {...list}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'at',
            header: t('office.audit.at'),
            cell: ({ create_time }) => shortTime(create_time),
            mobile: 'second',
          },
          { key: 'kind', header: t('office.sanctions.kind'), cell: kindName, mobile: 'main' },
          {
            key: 'state',
            header: t('office.person.picture_state'),
            cell: ({ status, reason }) =>
              status === 'removed'
                ? textOr(`office.verdict.${reason}`, String(reason))
                : textOr(`office.person.picture.${status}`, status),
          },
          {
            key: 'open',
            header: t('office.person.open_picture'),
            isUnseen: true,
            cell: (row) => (
              <Button data-open size={30} variant="outline" onClick={() => filter(PICTURE, row.id)}>
                {t('office.person.open_picture')}
              </Button>
            ),
            mobile: 'end',
          },
        ]}
      />
      {opened && (
        <OnePicture person={person} picture={opened} onClose={() => filter(PICTURE, '')} />
      )}
    </>
  )
}

interface OneProps {
  person: OfficeUser
  picture: PersonPicture
  onClose: () => void
}

function OnePicture({ person, picture, onClose }: OneProps) {
  const { id } = person
  const { decide } = usePending()
  const [{ verdict, comment }, change] = useDraft(picture.id, {
    verdict: null as PhotoVerdict | null,
    comment: '',
  })
  const { reply, propose } = useVerdictText(person, comment)
  const name = (value: PhotoVerdict) => textOr(`office.verdict.${value}`, value)
  const remove = () => {
    if (!verdict) return
    const send = () =>
      api.post('v2/manager/users/{id}/pictures/{media_id}/remove', {
        id,
        media_id: picture.id,
        verdict,
        reason: reply.text.trim(),
      })
    const draft = { verdict, comment: reply.text }
    decide({ id: picture.id, says: name(verdict), draft, send }, 'later')
    onClose()
  }
  return (
    <Dialog
      open
      size={640}
      title={kindName(picture)}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        picture.status === 'ready' && (
          <Button
            variant="primary"
            size={44}
            disabled={!verdict || reply.text.trim() === '' || reply.isTranslating}
            onClick={remove}
          >
            {verdict ? name(verdict) : t('office.decide.choose')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <VeiledMedia
          isInDialog
          kind={picture.kind}
          address={`/api/v2/manager/users/${id}/pictures/${picture.id}`}
          label={kindName(picture)}
        />
        {picture.status === 'ready' && (
          <>
            <Select
              label={t('office.decide.reason')}
              placeholder={t('office.decide.choose')}
              options={photoVerdicts.map((value) => ({ value, label: name(value) }))}
              value={verdict}
              onChange={(value) => {
                change({ verdict: value })
                propose(value)
              }}
            />
            {verdict && <VerdictText owner={person} reply={reply} />}
          </>
        )}
        {picture.status === 'ready' && verdict === 'minor' && (
          <Banner tone="warn">{t('office.child.picture')}</Banner>
        )}
        {picture.status === 'pending' && (
          <Link className="underline" to={`/photos?case=${picture.id}`}>
            {t('office.person.decide_picture')}
          </Link>
        )}
      </div>
    </Dialog>
  )
}
