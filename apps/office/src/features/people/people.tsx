import { Route, Routes } from 'react-router'
import { PeopleSearch } from './people-search.tsx'
import { PersonPage } from './person-page.tsx'

/** The search, and the page of the person that was found. */
export function People() {
  return (
    <Routes>
      <Route index element={<PeopleSearch />} />
      <Route path=":id/*" element={<PersonPage />} />
    </Routes>
  )
}
