import { Navigate, Route, Routes } from 'react-router'
import { AuthorityForm, ContentForm, IntimateImageForm } from './report-forms.tsx'
import { ReportHub } from './report-hub.tsx'
import { ReportState } from './report-state.tsx'

/** The pages below `/report`: one file, because few people open them. */
export function ReportPages() {
  return (
    <Routes>
      <Route index element={<ReportHub />} />
      <Route path="content" element={<ContentForm />} />
      <Route path="intimate-image" element={<IntimateImageForm />} />
      <Route path="authority" element={<AuthorityForm />} />
      <Route path="state" element={<ReportState />} />
      <Route path="*" element={<Navigate to="/report" replace />} />
    </Routes>
  )
}
