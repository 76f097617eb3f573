import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { EmptyState } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { PageFrame } from '../../shared/frame.tsx'
import { StartChatLink } from '../../shared/controls/start-chat-link.tsx'
import { t } from '../../shared/i18n.ts'
import { LoadingCards, PersonGrid } from '../../shared/people/card/person-grid.tsx'
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
          action={<StartChatLink />}
        />
      }
    >
      {(favourites) => <PersonGrid people={favourites} hasAllActions />}
    </PagedList>
  )
}
