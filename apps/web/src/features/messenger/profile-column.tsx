import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import type { Dialog, Media } from '@duet/protocol'
import { Petal } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import { formatCountry, formatPersonName } from '../../shared/texts/person.ts'
import { useInterlocutor } from './use-messenger.ts'

const PHOTOS_SHOWN = 3
/** The side of a square picture that covers the portrait, which is higher than wide. */
const PORTRAIT_SIZES = '210px'
/** Wider than the tile: a wide photo is cut to its square. */
const TILE_SIZES = '120px'
/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

/**
 * The interlocutor, beside the thread on a wide screen. A guy has no page: the column shows only his name and country.
 */
export function ProfileColumn({ dialog }: { dialog: Dialog }) {
  const person = useInterlocutor(dialog)
  const { avatar, avatar_variants, country, role, ref_code } = person
  return (
    <aside
      aria-label={t('person.about', { nick: person.nick })}
      className="hidden w-[316px] shrink-0 flex-col gap-5 overflow-y-auto border-s border-hair px-6 py-7 min-[1200px]:flex"
    >
      <Petal
        shape={role === 'girl' ? 'hers' : 'yours'}
        {...(avatar
          ? { src: avatar, srcSet: findSrcSet(avatar_variants), sizes: PORTRAIT_SIZES }
          : { icon: <UserIcon className="size-[30%] opacity-55" /> })}
        light={role === 'girl' ? 'ember' : 'moon'}
        className="mx-auto h-[210px] w-[184px]"
      />
      <div className="text-center">
        <p className="display-s">
          <bdi>{formatPersonName(person)}</bdi>
        </p>
        {country ? <p className="note text-text-2">{formatCountry(country)}</p> : null}
      </div>
      {role === 'girl' && ref_code ? <AboutGirl refCode={ref_code} /> : null}
    </aside>
  )
}

function AboutGirl({ refCode }: { refCode: string }) {
  const { connection } = useAppServices()
  const { data } = useQuery({
    queryKey: ['messenger', 'girl', refCode],
    queryFn: () => connection.http.get('girl_info', { ref_code: refCode }),
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
  })
  if (!data) return null
  const { about, photos } = data.girl
  return (
    <>
      {about ? (
        <p dir="auto" className="body text-text-2">
          {about}
        </p>
      ) : null}
      {photos.length > 0 ? (
        <div className="flex flex-col gap-2.5">
          <p className="note flex justify-between text-text-3">
            <span>{t('word.photos')}</span>
            <span className="figures">{photos.length}</span>
          </p>
          <Link
            to={`/girl/${refCode}`}
            aria-label={t('messenger.profile.photos_open')}
            className="grid grid-cols-3 gap-2 rounded-row"
          >
            {photos.slice(0, PHOTOS_SHOWN).map((media) => (
              <PhotoTile key={media.id} media={media} />
            ))}
          </Link>
        </div>
      ) : null}
    </>
  )
}

function PhotoTile({ media: { url, variants, locked } }: { media: Media }) {
  const srcSet = findSrcSet(variants)
  return (
    <span className="relative overflow-hidden rounded-row">
      <img
        src={url ?? undefined}
        srcSet={srcSet}
        sizes={srcSet && TILE_SIZES}
        alt=""
        loading="lazy"
        className="aspect-square w-full object-cover"
      />
      {locked ? (
        <CrownIcon
          size={20}
          weight="fill"
          className="absolute inset-0 m-auto text-white"
          aria-label={t('messenger.profile.photo_locked')}
        />
      ) : null}
    </span>
  )
}
