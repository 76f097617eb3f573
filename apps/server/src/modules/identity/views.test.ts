import { wireRole } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal } from 'node:assert/strict'
import { User, UserInterlocutor } from '@duet/protocol'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { story } from '@duet/testkit/test-app.ts'
import { userNow } from './users/queries.ts'

story(
  'the own record has every field of the contract, for a guest, a guy and a girl',
  async ({ testApp, boris, nina }) => {
    const guest = await testApp.guest()
    // `shows_adult` exists where the installation has the adult gallery only, `debt` while the user owes.
    const optional = new Set(['camscore', 'top_until', 'shows_adult', 'debt'])
    const all = Object.keys(User.shape)
      .filter((field) => !optional.has(field))
      .toSorted()
    for (const one of [guest, boris, nina])
      deepEqual(
        Object.keys(one.user)
          .filter((field) => !optional.has(field))
          .toSorted(),
        all,
      )
    deepEqual(
      [boris.user.email, boris.user.birthday, boris.user.role],
      ['boris@duet.example', '1996-01-01', wireRole('guy')],
    )
  },
)

story(
  'other users see the fields of the contract, and no balance, e-mail or birthday',
  async ({ boris, nina }) => {
    await boris.post('profile', { phone: '+49 30 1111', about: 'Hi', show_country: true })
    await nina.post('profile', { phone: '+49 30 2222', about: 'Hello' })
    await boris.act('ADD_FAVOURITE', { user_id: nina.id })
    nina.forget()
    await nina.act('ADD_FAVOURITE', { user_id: boris.id })
    const ofFavourite = ['favourite_id', 'can_call']
    const allowed = new Set([...Object.keys(UserInterlocutor.shape), ...ofFavourite])
    const [hers] = (await boris.get('favourites_pagination')).items
    const [his] = (await nina.get('favourites_pagination')).items
    for (const face of [hers!, his!])
      deepEqual(
        Object.keys(face).filter((field) => !allowed.has(field)),
        [],
      )
    deepEqual(
      [hers!.nick, hers!.age, hers!.avatar, hers!.is_favorite, hers!.status, hers!.sub_status],
      ['Nina', 34, null, true, 'online', 'free'],
    )
    deepEqual(
      [his!.nick, 'age' in his!, his!.role, his!.is_premium],
      ['Boris', false, wireRole('guy'), false],
    )
    const said = JSON.stringify([
      hers,
      his,
      nina.all(),
      (await nina.act('GET_CHANGES', { since: 0 })).changes,
    ])
    for (const secret of [
      'boris@duet.example',
      '1996-01-01',
      '+49 30 1111',
      boris.user.ortc_token,
      boris.user.fs_token,
      boris.token!,
    ])
      equal(said.includes(String(secret)), false, String(secret))
  },
)

story(
  'a nick that was stored by a commit with a lost answer is used',
  async ({ testApp, boris }) => {
    const nick = async () => (await userNow(testApp.app, boris.id))?.nick
    equal(await nick(), 'Boris')
    loseAnswerOfCommit(testApp, /update "users"/)
    await boris.tryAct('UPDATE_PROFILE', { nick: 'Boris the Great' })
    await testApp.advance('2 s')
    equal(await nick(), 'Boris the Great')
  },
)
