import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import type { Dialog } from '@duet/protocol'
import { Petal } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { countryOf, nameOf } from '../../shared/video/person-text.ts'
import { useInterlocutor } from './use-messenger.ts'

const PHOTOS_SHOWN = 3
/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

/** Beside the thread on a wide screen: who the interlocutor is. A guy has no page; his name and country are all. */
export function ProfileColumn({ dialog }: { dialog: Dialog }) {
  const person = useInterlocutor(dialog)
  const { avatar, country, role, ref_code } = person
  return (
    <aside
      aria-label={t('messenger.profile.label', { nick: person.nick })}
      className="hidden w-[316px] shrink-0 flex-col gap-5 overflow-y-auto border-s border-hair px-6 py-7 min-[1200px]:flex"
    >
      <Petal
        shape={role === 'girl' ? 'hers' : 'yours'}
        {...(avatar && { src: avatar })}
        light={role === 'girl' ? 'ember' : 'moon'}
        className="mx-auto h-[210px] w-[184px]"
      />
      <div className="text-center">
        <p className="display-s">
          <bdi>{nameOf(person)}</bdi>
        </p>
        {country ? <p className="note text-text-2">{countryOf(country)}</p> : null}
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
            <span>{t('messenger.profile.photos')}</span>
            <span className="figures">{photos.length}</span>
          </p>
          <Link
            to={`/girl/${refCode}`}
            aria-label={t('messenger.profile.photos_open')}
            className="grid grid-cols-3 gap-2 rounded-row"
          >
            {photos.slice(0, PHOTOS_SHOWN).map(({ id, url, locked }) => (
              <span key={id} className="relative overflow-hidden rounded-row">
                <img
                  src={url ?? undefined}
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
            ))}
          </Link>
        </div>
      ) : null}
    </>
  )
}
