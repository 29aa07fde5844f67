// Drives the page in a browser, one part of it after another. IDNE_URL is the address of a running `idne serve`; CHROMIUM the browser, if not
// /usr/bin/chromium.
import './e2e/write.mjs';
import './e2e/map.mjs';
import './e2e/choosing.mjs';
import './e2e/reading.mjs';
import './e2e/feedback.mjs';
import './e2e/frame.mjs';
import './e2e/compare.mjs';
import './e2e/views.mjs';
