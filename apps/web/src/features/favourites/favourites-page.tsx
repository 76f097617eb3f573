import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { buttonLook, EmptyState, Skeleton } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { PageFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { CARD_GRID } from '../../shared/people/card/portrait-card.tsx'
import { FavouriteCard } from './favourite-card.tsx'
import { useFavourites } from '../../shared/people/use-favourites.ts'

/** `/favorites/`: the users that the viewer has marked. Online users come first. */
export function FavouritesPage() {
  return (
    <PageFrame title={t('word.favourites')}>
      <FavouriteGrid />
    </PageFrame>
  )
}

function FavouriteGrid() {
  return (
    <PagedList
      pages={useFavourites()}
      failed={t('favourites.failed')}
      skeleton={<LoadingCards />}
      empty={
        <EmptyState
          icon={<HeartIcon size={40} weight="duotone" />}
          title={t('favourites.empty')}
          text={t('favourites.empty_text')}
          action={
            <Link to="/" className={buttonLook({ variant: 'primary' })}>
              <VideoCameraIcon size={20} weight="fill" className="mirror" />
              {t('action.start_chat')}
            </Link>
          }
        />
      }
    >
      {(favourites) => (
        <ul className={CARD_GRID}>
          {favourites.map((favourite) => (
            <FavouriteCard key={favourite.id} favourite={favourite} />
          ))}
        </ul>
      )}
    </PagedList>
  )
}

function LoadingCards() {
  return (
    <div className={CARD_GRID}>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((key) => (
        <Skeleton key={key} className="aspect-[4/5] rounded-media!" />
      ))}
    </div>
  )
}
