import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { buttonLook, PetalPair, type PairLayout } from '@duet/ui'
import { Footer } from '../../features/landing/index.ts'
import { useImmersive } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { useAddress } from '../address.ts'

/** Two petals that do not overlap. */
const missed: PairLayout = { hers: [0, 0, 113, 141], yours: [150, 34, 97, 116] }

/** The footer only: members see no navigation around it either. */
export function NotFound() {
  const address = useAddress()
  useImmersive(true)
  return (
    <div className="scene-glow flex min-h-dvh flex-col">
      <main className="flex flex-1 flex-col items-center justify-center px-5 py-16 text-center">
        <PetalPair
          layout={missed}
          overlap="ring"
          hers={{ light: 'ember' }}
          yours={{ light: 'moon' }}
          className="w-64"
        />
        <h1 tabIndex={-1} className="display-l mt-12 max-w-[18ch]">
          {t('not_found.title')}
        </h1>
        <p className="body mt-3 max-w-[44ch] text-text-2">{t('not_found.text')}</p>
        <div className="mt-9 flex flex-wrap justify-center gap-3">
          <Link to="/" className={buttonLook({ variant: 'secondary', size: 54 })}>
            {t('action.back_home')}
          </Link>
          <Link
            to="/"
            state={{ start: true }}
            className={buttonLook({ variant: 'primary', size: 54 })}
          >
            <VideoCameraIcon size={22} weight="fill" className="mirror" />
            {t('not_found.find')}
          </Link>
        </div>
      </main>
      <Footer {...address} withoutLanguages />
    </div>
  )
}
