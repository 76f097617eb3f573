/** Where the build puts the model and the WebAssembly of the finder of faces (`build/face-files-plugin.ts`). */
export const FACE_FILES = '/assets/faces-3.3.6/'
