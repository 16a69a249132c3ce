;;; client.el --- What the drivers of Eglot and lsp-mode share; see check_client.py  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0
(require 'json)
(require 'cl-lib)
(require 'subr-x)

(defun client-say (&rest words)
  (write-region (concat (replace-regexp-in-string "\n+" " | " (string-trim (apply #'format words))) "\n") nil
                (getenv "KOMUZ_STEPS") t 'silent))
(defun client-fail (&rest words)
  (client-say "FAILED: %s" (apply #'format words))
  (kill-emacs 1))

(defconst client-plan
  (let ((json-object-type 'alist) (json-array-type 'list) (json-key-type 'symbol))
    (json-read-file (getenv "KOMUZ_PLAN"))))
(defun client-plan (&rest keys)
  (cl-reduce (lambda (plan key) (alist-get key plan)) keys :initial-value client-plan))
(defconst client-server (append (json-read-from-string (getenv "KOMUZ_SERVER")) nil))

;; A mode of the language, as a package for it would have.
(defconst client-mode (intern (concat (client-plan 'language) "-mode")))
(unless (fboundp client-mode) (eval `(define-derived-mode ,client-mode prog-mode "Test")))

(defmacro client-wait-for (step &rest what)
  "Waits until WHAT is true, and gives it. The runner ends what takes too long, so this has no limit of its own."
  (declare (indent 1))
  `(let (found)
     (while (not (setq found (progn ,@what))) (client-pause))
     (ignore ,step)
     found))
(defun client-pause ()
  (accept-process-output nil 0.02)
  (run-hooks 'client-idle-hook))
(defvar client-idle-hook nil "What an editor does when a user pauses, and a batch does not.")

(defun client-text () (buffer-substring-no-properties (point-min) (point-max)))
(defun client-lines (lines) (concat (mapconcat #'identity lines "\n") "\n"))
(defun client-place (piece)
  "The place of a PIECE that stands in the buffer."
  (save-excursion
    (goto-char (point-min))
    (unless (search-forward piece nil t) (client-fail "the text has no `%s`" piece))
    (match-beginning 0)))
(defun client-go-to (piece) (goto-char (client-place piece)))
(defun client-expect-text (step wanted)
  (unless (equal (client-text) wanted)
    (client-fail "%s: the text is\n%s\nand should be\n%s" step (client-text) wanted)))
(defun client-expect-words (step shown wanted)
  (dolist (words wanted)
    (unless (string-match-p (regexp-quote words) shown)
      (client-fail "%s: `%s` does not say `%s`" step shown words)))
  (client-say "%s: %s" step shown))

;; What a driver gives: a list of (BEGIN END TEXT), of what is marked in the buffer.
(defvar client-marks nil)
(defun client-wait-for-error (step)
  (let (mark)
    (client-wait-for step
      (let ((marks (funcall client-marks)) (begin (client-place (client-plan 'error 'at))))
        (and (= (length marks) 1)
             (setq mark (car marks))
             (= (nth 0 mark) begin)
             (= (nth 1 mark) (+ begin (length (client-plan 'error 'text))))
             (string-match-p (regexp-quote (client-plan 'error 'says)) (nth 2 mark)))))
    (client-say "%s: line %d, characters %d to %d: %s" step (line-number-at-pos (nth 0 mark))
                (save-excursion (goto-char (nth 0 mark)) (current-column))
                (save-excursion (goto-char (nth 1 mark)) (current-column)) (nth 2 mark))))
(defun client-wait-for-no-error (step)
  (client-wait-for step (null (funcall client-marks)))
  (client-say "%s: no diagnostics" step))
(defun client-wait-for-other (step)
  "An empty text has a fault of its own in some languages."
  (let (marks)
    (client-wait-for step
      (setq marks (funcall client-marks))
      (cl-notany (lambda (mark) (string-match-p (regexp-quote (client-plan 'error 'says)) (nth 2 mark))) marks))
    (client-say "%s: %s" step (if marks (nth 2 (car marks)) "no diagnostics"))))

(defun client-complete ()
  "Types the plan's line, and completes its name by what `completion-at-point' offers."
  (goto-char (point-max))
  (insert (client-plan 'typed 'line) "\n")
  (client-go-to (client-plan 'typed 'behind))
  (forward-char (length (client-plan 'typed 'behind)))
  (let* ((capf (run-hook-wrapped 'completion-at-point-functions #'completion--capf-wrapper 'all))
         (begin (nth 1 capf)) (end (nth 2 capf)) (table (nth 3 capf)) (properties (nthcdr 4 capf))
         (all (all-completions (buffer-substring-no-properties begin end) table (plist-get properties :predicate)))
         (chosen (cl-find (client-plan 'typed 'completion) all :test #'string=)))
    (unless chosen (client-fail "completion: no `%s` in %s" (client-plan 'typed 'completion) all))
    (delete-region begin end)
    (insert chosen)
    (when-let ((done (plist-get properties :exit-function))) (funcall done chosen 'finished))
    (insert (client-plan 'typed 'then))
    (client-say "completion: %s of %d" chosen (length all))))

(defun client-replace-texts ()
  "What the server holds has to be what the editor shows, also after all is gone."
  (let ((text (client-lines (client-plan 'text))))
    (erase-buffer)
    (insert text)
    (client-wait-for-error "filled")
    (erase-buffer)
    (client-wait-for-other "emptied")
    (insert text)
    (client-wait-for-error "filled again")))
(defun client-expect-lines (step xrefs wanted)
  (let ((lines (sort (mapcar (lambda (one) (xref-location-line (xref-item-location one))) xrefs) #'<)))
    (unless (equal lines wanted) (client-fail "%s: lines %S" step lines))
    (client-say "%s: lines %S" step lines)))
(defun client-ask-rows (backend imenu)
  "What xref and imenu ask by the client, which is their BACKEND and gives IMENU."
  (let* ((name (line-number-at-pos (client-place (client-plan 'definition 'to))))
         (used (line-number-at-pos (client-place (client-plan 'definition 'at))))
         (symbols (append (client-plan 'symbols) nil))
         ;; It wants references without the definition, and counts lines of symbols from 0.
         (is-lsp-mode (eq backend 'xref-lsp)))
    (client-go-to (client-plan 'definition 'at))
    (client-expect-lines "references" (xref-backend-references backend (xref-backend-identifier-at-point backend))
                         (if is-lsp-mode (list used) (list name used)))
    (client-expect-lines "symbols of the workspace" (xref-backend-apropos backend (car symbols)) (list (if is-lsp-mode (1- name) name)))
    (let ((found (cl-remove-if-not #'stringp (flatten-tree (funcall imenu)))))
      (dolist (symbol symbols)
        ;; Its signature may stand behind it.
        (unless (cl-find symbol found :test #'string-prefix-p) (client-fail "symbols: no `%s` in %S" symbol found)))
      (client-say "symbols: %s" (string-join symbols ", ")))))

(defun client-run (drive)
  (find-file (client-plan 'file))
  (condition-case problem (funcall drive)
    (error (client-fail "%S" problem)))
  (kill-emacs 0))
;;; client.el ends here
